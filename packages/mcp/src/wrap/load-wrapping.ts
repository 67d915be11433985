/** Loads the code that edits clients' configuration. Lazy, because a proxy does not need it. */
export function loadWrapping(): Promise<typeof import('./index.ts')> {
  return import('./index.ts')
}
