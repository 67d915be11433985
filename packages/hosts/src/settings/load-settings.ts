/** Loads the code that edits agents' settings. Lazy, because a hook does not need it. */
export function loadSettings(): Promise<typeof import('./index.ts')> {
  return import('./index.ts')
}
