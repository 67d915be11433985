import type { CommandPart } from '../../command/model/decomposition.ts'
import type { ProgramRow } from '../../knowledge/programs.ts'
import { type KnownOption, optionsOf } from '../arguments/known-options.ts'
import { below, type FileAct, type FileActs, isPlainMode, lastName } from './file-act.ts'

const RECURSIVE = new Set(['-a', '--archive', '-R', '-r', '--recursive'])
const EXACT = new Set(['-T', '--no-target-directory'])
const TARGET = new Set(['-t', '--target-directory'])
const BACKUP = new Set(['-b', '--backup', '-S', '--suffix'])
const MODE = new Set(['-m', '--mode'])
const FOLDERS = new Set(['-d', '--directory'])

/** `cp`, `mv` and `install`: what goes where. */
export function placingActs(part: CommandPart, row: ProgramRow, program: string): FileActs {
  const { known, unknown, words } = optionsOf(part, row)
  if (unknown.length > 0 || known.some(({ isSure }) => !isSure)) return null
  if (known.some(({ name, value }) => MODE.has(name) && !isPlainMode(value?.value ?? ''))) return null
  const paths = words.map(({ value }) => value ?? '')
  if (paths.includes('')) return null
  const has = (names: ReadonlySet<string>) => known.some(({ name }) => names.has(name))
  if (program === 'install' && has(FOLDERS))
    return has(TARGET) || has(EXACT) ? null : paths.map((path) => ({ kind: 'folder', path }))
  const targets = known.filter(({ name }) => TARGET.has(name))
  if (targets.length > 1 || (targets.length === 1 && has(EXACT))) return null
  const to = targets.length === 1 ? targets[0]?.value?.value : paths.pop()
  if (to === undefined || to === null || to === '' || paths.length === 0) return null
  const whole = program === 'mv' || (program === 'cp' && has(RECURSIVE))
  const suffix = has(BACKUP) ? backupSuffix(known) : ''
  if (suffix === null || (suffix !== '' && whole && program === 'cp')) return null
  const acts: FileAct[] = []
  for (const from of paths) {
    const name = lastName(from)
    if (name === '..' || name === '' || (name === '.' && (program !== 'cp' || targets.length > 0))) return null
    acts.push({
      kind: 'place',
      from,
      to,
      // `cp -r a/. b` copies what is in the folder, and never the folder itself.
      name: has(EXACT) || name === '.' ? '' : name,
      moves: program === 'mv',
      whole,
      keepsNode: program === 'cp',
      suffix,
    })
  }
  return acts
}

/** What the name of a kept file ends in; null if it could be another path. */
function backupSuffix(known: readonly KnownOption[]): string | null {
  const given = known.filter(({ name }) => name === '-S' || name === '--suffix').at(-1)?.value?.value
  if (given === undefined) return '~'
  return given !== null && /^[\w.~-]{1,32}$/.test(given) ? given : null
}

/** Where something may be put: at the path itself, or in the folder that is there. */
export function destinationsOf({ to, name }: Extract<FileAct, { kind: 'place' }>): readonly string[] {
  return name === '' ? [to] : [to, below(to, name)]
}
