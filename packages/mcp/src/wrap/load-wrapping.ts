/** Everything that edits the configuration of clients, loaded only when it is used: a proxy starts without it. */
export function loadWrapping(): Promise<typeof import('./index.ts')> {
  return import('./index.ts')
}
