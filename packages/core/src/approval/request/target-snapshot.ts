import { SHELL_BUILTINS } from '../../command/programs/program-names.ts'
import { answerOr } from '../../ports/maybe-promise.ts'
import type { TargetState, Targets } from '../../ports/targets.ts'
import { folderOf } from '../../risk/path/paths-to-resolve.ts'
import type { Judgement } from './judgement.ts'

/** So many targets are bound by content, further ones by stat. */
const MAX_TARGETS = 64
const MAX_BYTES = 32 * 1024 * 1024

/**
 * The state of every file and program the call names: bound into the request, and compared again before the effect.
 * What cannot be read is the literal `unbound`, and surfaces say so.
 */
export async function snapshotTargets(judgement: Judgement, targets: Targets): Promise<readonly TargetState[]> {
  if (judgement.named.length === 0 && judgement.risk.parts.length === 0) return []
  const wanted = new Map<string, { readonly given: string; readonly path: string | null }>()
  for (const { given, real } of judgement.named) wanted.set(`${given}\0${real}`, { given, path: real })
  for (const program of await programs(judgement, targets)) wanted.set(`${program.given}\0${program.path}`, program)
  for (const file of await mentioned(judgement, targets)) wanted.set(`${file.given}\0${file.path}`, file)
  // What was found inside these files is what the person approves.
  for (const { path } of judgement.circumstances.seen?.files ?? []) wanted.set(`\0${path}`, { given: path, path })
  const named = [...wanted.values()]
  const budget = Math.floor(MAX_BYTES / Math.max(1, Math.min(MAX_TARGETS, named.length)))
  const states: TargetState[] = []
  for (const [at, { given, path }] of named.entries()) {
    const bytes = at < MAX_TARGETS ? budget : 0
    states.push(path === null ? unbound(given) : await stateOf(given, path, judgement.call.cwd, bytes, targets))
  }
  return states
}

/** The file of each program, so that a later change of it or of PATH shows. */
async function programs(
  judgement: Judgement,
  targets: Targets,
): Promise<readonly { given: string; path: string | null }[]> {
  const commands = judgement.risk.parts.map(({ command }) => command)
  const named = new Set(judgement.named.map(({ given }) => given))
  const searched = commands.some(({ assignments }) => assignments.some(({ name }) => name === 'PATH'))
  const found: { given: string; path: string | null }[] = []
  for (const given of new Set(commands.map(({ path }) => path ?? ''))) {
    if (given === '' || named.has(given)) continue
    const isFound = !given.includes('/') && !searched
    const path = isFound ? await answerOr(() => targets.program(given, judgement.call.cwd), undefined) : undefined
    if (path !== undefined || !SHELL_BUILTINS.has(given)) found.push({ given, path: path ?? null })
  }
  return found
}

/** Words examined besides the known paths. */
const MAX_WORDS = 256

/**
 * Files that a command names in a way we do not know: `psql -f fix.sql`, `git apply fix.patch`. Only existing files count,
 * so other words do no harm.
 */
async function mentioned(
  judgement: Judgement,
  targets: Targets,
): Promise<readonly { given: string; path: string | null }[]> {
  const { call, circumstances, risk } = judgement
  const named = new Set(judgement.named.map(({ given }) => given))
  const found: { given: string; path: string | null }[] = []
  let examined = 0
  for (const { command } of risk.parts) {
    if (command.cwd === null) continue
    const folder = folderOf(command.cwd, call.cwd, circumstances.places.home)
    for (const word of command.args) {
      const given = fileWord(word)
      if (given === null || named.has(given) || examined++ >= MAX_WORDS) continue
      const state = await targets.look(given, folder, 0).catch(() => null)
      if (state?.type === 'file') found.push({ given, path: state.real })
    }
  }
  return found
}

/** The part of a word that could name a file: `fix.sql`, or the value in `--file=fix.sql`. */
function fileWord({ value, glob }: { readonly value: string | null; readonly glob: boolean }): string | null {
  if (value === null || glob || value.length > 4096 || value.includes('\0')) return null
  const word = value.startsWith('-') ? value.slice(value.indexOf('=') + 1) : value
  return word === '' || word.startsWith('-') ? null : word
}

async function stateOf(
  given: string,
  path: string,
  cwd: string,
  budget: number,
  targets: Targets,
): Promise<TargetState> {
  try {
    return { ...(await targets.look(path, cwd, budget)), given }
  } catch {
    return unbound(given)
  }
}

function unbound(given: string): TargetState {
  return { given, real: 'unbound', type: 'other', content: 'unbound' }
}
