import { interpreterOf } from '../../command/code/inline-code.ts'
import { readShellWords, SHELLS } from '../../command/nested/shells.ts'
import { shellKnowledge } from '../../knowledge/shell.ts'
import { isIn } from '../reading/bin-folders.ts'
import type { ProjectFile } from '../reading/project-reader.ts'
import { type Found, placeIn, type Run, type Runner, type RunnerInput, unclear } from '../reading/runner.ts'
import { seeCode } from './code-file.ts'

/** A first line such as `#!/bin/bash -eu`. SECURITY: any other word may name other code. */
const PLAIN_SHEBANG = /^#!\s*\/(?:usr\/(?:local\/)?)?bin\/(env\s+)?([\w.+-]+)(?:\s+-[eux]+)?\s*$/

/** The program that the first line names; `sh` without one, null if it says more than that. */
function shebangProgram(text: string): { readonly program: string; readonly isSearched: boolean } | null {
  if (!text.startsWith('#!')) return { program: 'sh', isSearched: false }
  const [, env, program = 'env'] = PLAIN_SHEBANG.exec(text.split('\n', 1)[0] ?? '') ?? []
  return program === 'env' ? null : { program, isSearched: env !== undefined }
}

/** `./x.sh`: a file of the project by its path. */
export const seeFile: Runner = async (input) => {
  const { part, folder, reader } = input
  const reading = await reader.read(part.path ?? '', folder)
  if (reading.kind !== 'file')
    return unclear(reading.kind === 'absent' ? `\`${part.path}\` does not exist` : reading.why)
  return seeScript(reading, input.part.cwd, input)
}

/** `bash x.sh`, `source x.sh`. Null for a shell without a script. */
export const seeShell: Runner = async (input) => {
  const { part, program, folder, reader } = input
  const isSourced = program === 'source' || program === '.'
  const use = isSourced ? ({ kind: 'script', at: 0 } as const) : readShellWords(part.args)
  if (use.kind !== 'script') return null
  const word = part.args[use.at]
  if (word === undefined) return null
  if (word.value === null || word.glob) return unclear('the script is not known')
  const reading = await reader.read(word.value, folder)
  if (reading.kind !== 'file')
    return unclear(reading.kind === 'absent' ? `\`${word.value}\` does not exist` : reading.why)
  return shellRun(reading, part.cwd, isSourced ? { sourced: true } : { shell: program })
}

/** The contents of a script, in the language that its first line names. `cwd` is the folder it runs in. */
export async function seeScript(
  file: ProjectFile,
  cwd: string | null,
  { reader, bins }: Pick<RunnerInput, 'reader' | 'bins'>,
): Promise<Found> {
  const named = shebangProgram(file.text)
  if (named === null) return unclear(`the first line of \`${file.shown}\` names more than a program`)
  const { program } = named
  if (named.isSearched && isIn(bins, program))
    return unclear(`\`${file.shown}\` is run by \`${program.slice(0, 32)}\`, a program of a package`)
  if (SHELLS.has(program)) return shellRun(file, cwd, { shell: program })
  const name = interpreterOf(program)
  const language = name === null ? undefined : shellKnowledge().interpreters[name]?.language
  return language === undefined
    ? unclear(`\`${file.shown}\` is run by \`${program.slice(0, 32)}\`, which is not known`)
    : seeCode(file, language, { cwd, reader })
}

function shellRun(file: ProjectFile, cwd: string | null, how: Pick<Run, 'shell' | 'sourced'>): Found {
  return { runs: [{ code: file.text, origin: placeIn(file, 1), cwd, ...how }], opaque: [], exact: true }
}
