/** Loads the code that starts agents. Lazy, because nothing but `doctor --hosts` and `init` needs it. */
export function loadCanary(): Promise<typeof import('./index.ts')> {
  return import('./index.ts')
}
