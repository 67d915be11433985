import { LAZY_MODULES } from '../bundle/lazy-modules.ts'
import type { Offence, SourceFile } from './offence.ts'

/** The bundle loads some modules on first use, by path and function names, which must exist. */
export function checkLazyModules(files: readonly SourceFile[]): Offence[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  return Object.entries(LAZY_MODULES).flatMap(([path, names]) => {
    const text = texts.get(path)
    if (text === undefined) return [offence('there is no', path)]
    return names
      .filter((name) => !new RegExp(`^export (async )?function ${name}\\b`, 'm').test(text))
      .map((name) => offence(`there is no function \`${name}\` in`, path))
  })
}

function offence(problem: string, path: string): Offence {
  const message = `${problem} \`${path}\`; it moved, or no longer has to be loaded on first use`
  return { path: 'scripts/bundle/lazy-modules.ts', line: 1, message }
}
