import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** DynamoDB Local with its own arguments, but on loopback only: it has no setting for that. */
public class LoopbackDynamodb {
  public static void main(String[] args) throws Exception {
    DynamoDBProxyServer server = ServerRunner.createServerFromCommandLineArgs(args);
    var field = DynamoDBProxyServer.class.getDeclaredField("server");
    field.setAccessible(true);
    for (var connector : ((Server) field.get(server)).getConnectors())
      ((ServerConnector) connector).setHost("127.0.0.1");
    server.start();
    server.join();
  }
}
