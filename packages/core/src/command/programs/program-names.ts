import { shellNames } from '../../knowledge/shell.ts'

/** Commands of the shell itself, which are not looked up through PATH. */
export const SHELL_BUILTINS = shellNames('builtins')

/** Names that people expect to be a program or a builtin: a function or alias of this name hides what runs. */
export const WELL_KNOWN = shellNames('well_known')

/** A name in lower case. Checking first is several times faster than converting, and names are asked for often. */
export function lowerCase(name: string): string {
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at)
    if ((code >= 65 && code <= 90) || code > 127) return name.toLowerCase()
  }
  return name
}

/** The last name of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
