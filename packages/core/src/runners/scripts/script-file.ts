import { interpreterOf } from '../../command/code/inline-code.ts'
import { readShellWords, SHELLS } from '../../command/nested/shells.ts'
import { baseName } from '../../command/programs/program-names.ts'
import { shellKnowledge } from '../../knowledge/shell.ts'
import type { ProjectFile, ProjectReader } from '../reading/project-reader.ts'
import { type Found, placeIn, type Runner, unclear } from '../reading/runner.ts'
import { seeCode } from './code-file.ts'

const SHEBANG = /^#!\s*(\S+)([^\n]*)/

/** The program that a first line such as `#!/usr/bin/env -S python3 -u` names; null without one. */
function shebangProgram(text: string): string | null {
  const found = SHEBANG.exec(text)
  if (found === null) return null
  const [, path = '', rest = ''] = found
  if (baseName(path) !== 'env') return baseName(path)
  const word = rest.split(/\s+/).find((one) => one !== '' && !one.startsWith('-') && !one.includes('='))
  return word === undefined ? null : baseName(word)
}

/** `./x.sh`: a file of the project by its path. */
export const seeFile: Runner = async (input) => {
  const { part, folder, reader } = input
  const reading = await reader.read(part.path ?? '', folder)
  if (reading.kind !== 'file')
    return unclear(reading.kind === 'absent' ? `\`${part.path}\` does not exist` : reading.why)
  return seeScript(reading, input.part.cwd, reader)
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
  return shellRun(reading, part.cwd)
}

/** The contents of a script, in the language that its first line names. `cwd` is the folder it runs in. */
export async function seeScript(file: ProjectFile, cwd: string | null, reader: ProjectReader): Promise<Found> {
  const program = shebangProgram(file.text) ?? 'sh'
  if (SHELLS.has(program)) return shellRun(file, cwd)
  const name = interpreterOf(program)
  const language = name === null ? undefined : shellKnowledge().interpreters[name]?.language
  return language === undefined
    ? unclear(`\`${file.shown}\` is run by \`${program.slice(0, 32)}\`, which is not known`)
    : seeCode(file, language, { cwd, reader })
}

function shellRun(file: ProjectFile, cwd: string | null): Found {
  return { runs: [{ code: file.text, origin: placeIn(file, 1), cwd }], opaque: [], exact: true }
}
