import type { CommandPart } from '../../command/model/decomposition.ts'

const NAMES = new Set(['--git-dir', '--work-tree'])
const VALUED = new Set(['-c', '--namespace', '--super-prefix', '--config-env', '--attr-source', '--list-cmds'])
const OPTION = /^(--git-dir|--work-tree)=(.*)$/s

/**
 * The folders whose repository a git command obeys, spelled from the folder it runs in: `.` or what `-C` leads to, and
 * what `--git-dir` and `--work-tree` name.
 */
export function gitFolders(part: CommandPart): readonly string[] {
  let base = '.'
  const named: string[] = []
  for (let at = 0; at < part.args.length; at++) {
    const value = part.args[at]?.value ?? null
    if (value === null || !value.startsWith('-')) break
    const next = part.args[at + 1]?.value ?? ''
    const joined = OPTION.exec(value)?.[2]
    if (value === '-C') base = under(base, next)
    else if (NAMES.has(value)) named.push(next)
    else if (joined !== undefined) named.push(joined)
    if (value === '-C' || NAMES.has(value) || VALUED.has(value)) at++
  }
  return [base, ...named.map((folder) => under(base, folder))]
}

function under(base: string, folder: string): string {
  if (folder === '' || folder === '.') return base
  return base === '.' || /^[/~]/.test(folder) ? folder : `${base}/${folder}`
}
