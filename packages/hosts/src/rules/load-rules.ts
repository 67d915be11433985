/** Loads the readers of agents' own rules. Lazy, because a hook needs them only if there is a file with rules. */
export function loadRules(): Promise<typeof import('./index.ts')> {
  return import('./index.ts')
}
