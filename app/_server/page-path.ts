const NO_PAGE = /^\/(api\/|metrics$|_next\/|icon\.svg$|favicon\.ico$)/;

/** Whether one of the console's own paths, without its query, is that of a page. */
export function isPagePath(path: string): boolean {
  return !NO_PAGE.test(path);
}
