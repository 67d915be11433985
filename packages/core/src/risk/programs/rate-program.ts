import { interpreterOf } from '../../command/code/inline-code.ts'
import { type ProgramRow, programRow, type RaterName } from '../../knowledge/programs.ts'
import type { RiskFinding } from '../report/finding.ts'
import type { PartFacts } from './assessor/assessor.ts'
import { rateRow } from './assessor/rate-row.ts'
import { RATERS } from './raters.ts'

/** Tools that are installed side by side by version: `gcc-12`, `pip3.11`. */
const VERSIONED =
  /^(gcc|g\+\+|clang|clang\+\+|clang-format|clang-tidy|cpp|gcov|pip|gem|bundle|rake|llc|go|pydoc|ghc)-?\d[\d.]{0,9}$/

/** The tools of compilers for other machines: `arm-none-eabi-objdump`. */
const CROSS =
  /^(?:arm|aarch64|riscv32|riscv64|xtensa|avr|mips|mipsel|x86_64|i686|powerpc|m68k|msp430)(?:-[\w.]{1,24}){0,4}-(gcc|g\+\+|size|objdump|objcopy|nm|readelf|strip|ar|ld|as|gdb|addr2line|strings|cpp|gcov|ranlib)$/

/** Raters of tools that run the project's own code: another version than the project's is not known. */
const RUNS_PROJECT: ReadonlySet<RaterName> = new Set([
  'dev-tool',
  'formatter',
  'make',
  'node-packages',
  'python-packages',
  'runner',
])

/** What is known of a program, by any of its names; undefined when nothing is. */
export function rowOf(program: string): ProgramRow | undefined {
  const known = programRow(program)
  if (known !== undefined) return known
  if (interpreterOf(program) !== null) return programRow('python')
  const plain = VERSIONED.exec(program)?.[1] ?? CROSS.exec(program)?.[1]
  if (plain !== undefined) return programRow(plain)
  if (program.startsWith('llvm-')) return programRow('strip')
  if (program.startsWith('mkfs.')) return programRow('mkfs')
  if (program.startsWith('fsck.')) return programRow('fsck')
  // `npx wrangler@latest deploy`
  const versioned = /^([a-z][\w-]{0,40})@[\w.^~-]{1,40}$/.exec(program)?.[1]
  if (versioned === undefined || !isProjectTool(versioned)) return undefined
  const row = programRow(versioned)
  return row?.rater !== undefined && RUNS_PROJECT.has(row.rater) ? undefined : row
}

/** Rates one program's use by its row. */
export function rateProgram(facts: PartFacts): RiskFinding {
  const { row } = facts
  return row.rater === undefined ? rateRow(facts) : RATERS[row.rater](facts)
}

/** Whether a program is one that projects install for themselves: `tsc`, `pip`, `npm`. */
export function isProjectTool(program: string): boolean {
  const tool = programRow(program)?.project_tool
  return tool === true || tool?.includes(program) === true
}
