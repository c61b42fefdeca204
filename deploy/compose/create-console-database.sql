CREATE DATABASE outbox_console;
