import { CONTAINMENT } from '@countersign/core'

const { passed, passedStarts } = CONTAINMENT.environment

/** The environment of a contained command, made from nothing: a few variables, and where the sandbox has its folders. */
export function containedEnvironment(
  env: NodeJS.ProcessEnv,
  { home, path }: { readonly home: string; readonly path: string },
): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && (passed.has(name) || passedStarts.some((start) => name.startsWith(start))))
      kept[name] = value
  // Git would otherwise rewrite its index on `status`, which a read-only workspace refuses.
  return { ...kept, PATH: path, HOME: home, TMPDIR: '/tmp', GIT_OPTIONAL_LOCKS: '0', COUNTERSIGN_CONTAINED: '1' }
}
