import type { CommandPart } from '../../command/model/decomposition.ts'
import { lowerCase } from '../../command/programs/program-names.ts'
import { type ProgramRow, programRow } from '../../knowledge/programs.ts'
import { compilingActs } from './compiling-acts.ts'
import type { FileActs } from './file-act.ts'
import { PACKING } from './packing-acts.ts'
import { patchActs } from './patch-acts.ts'
import { placingActs } from './placing-acts.ts'
import { WRITING } from './writing-acts.ts'

const PLACING = new Set(['cp', 'mv', 'install'])

/** Other names of the same programs. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['gcp', 'cp'],
  ['gmv', 'mv'],
  ['ginstall', 'install'],
  ['gmkdir', 'mkdir'],
  ['gdd', 'dd'],
  ['gsplit', 'split'],
  ['gcsplit', 'csplit'],
  ['gtar', 'tar'],
])

/** Programs that share an option table with one of these, and read their words differently. */
const UNREAD: ReadonlySet<string> = new Set(['bsdtar', 'pigz', 'unpigz', 'lzma', 'zipinfo'])

const KNOWN = new WeakMap<CommandPart, FileActs>()

/**
 * What a command does to files; null if its words don't say it all, undefined if the program is none whose acts are read
 * here.
 */
export function actsOf(part: CommandPart): FileActs | undefined {
  const named = part.program === null ? '' : lowerCase(part.program)
  if (UNREAD.has(named)) return null
  const program = ALIASES.get(named) ?? named
  const row = programRow(named)
  if (row === undefined) return undefined
  const known = KNOWN.get(part)
  if (known !== undefined) return known
  const acts = readActs(part, row, program)
  if (acts !== undefined) KNOWN.set(part, acts)
  return acts
}

function readActs(part: CommandPart, row: ProgramRow, program: string): FileActs | undefined {
  const isCompiler = program === 'gcc' || program === 'cc'
  const isActing =
    PLACING.has(program) || program === 'patch' || isCompiler || WRITING.has(program) || PACKING.has(program)
  if (!isActing) return undefined
  // What the shell would still change is not read.
  if (part.args.some(({ value, glob }) => value === null || glob)) return null
  if (PLACING.has(program)) return placingActs(part, row, program)
  if (program === 'patch') return patchActs(part, row)
  if (isCompiler) return compilingActs(part)
  return (WRITING.get(program) ?? PACKING.get(program))?.(part, row)
}
