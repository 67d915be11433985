/** The protocol's own client, loaded only when somebody signs in or a token is renewed: a proxy starts without it. */
export function loadOAuth(): Promise<typeof import('./oauth.ts')> {
  return import('./oauth.ts')
}
