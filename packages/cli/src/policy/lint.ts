import { formatProblem, lintPolicy, type PolicyFile, type PolicyLint, safeText } from '@countersign/core'
import { openCrypto } from '@countersign/node'
import { type Command, Option } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import { existingHome } from '../home/existing-home.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { CHECKERS, filesInForce, namedFiles } from './policy-sources.ts'

interface LintFlags {
  readonly layer: PolicyFile['layer']
}

export function defineLint(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign policy lint', 'every active file'],
    ['countersign policy lint draft.yaml', 'one file, as your own policy'],
    ['countersign policy lint --layer project p.yaml', 'one file, as a project policy'],
  ])
  command
    .argument('[file...]', 'files to check instead of the active ones')
    .addOption(layerOption())
    .action((paths: readonly string[], flags: LintFlags) => lint(paths, flags, io))
}

/** `--layer` for the given files. */
export function layerOption(): Option {
  return new Option('--layer <layer>', 'layer the files belong to')
    .choices(['user', 'project', 'managed'])
    .default('user')
}

async function lint(paths: readonly string[], { layer }: LintFlags, io: Io): Promise<void> {
  const home = existingHome(io)
  const options = { checkers: CHECKERS, crypto: openCrypto(home) }
  // Given files are checked separately: two drafts may choose different presets.
  const groups =
    paths.length === 0 ? [await filesInForce(home, io)] : (await namedFiles(paths, layer, io)).map((file) => [file])
  const found = groups.map((files) => lintPolicy(files, options))
  const result = {
    problems: found.flatMap((one) => one.problems),
    warnings: found.flatMap((one) => one.warnings),
    notes: found.flatMap((one) => one.notes),
  }
  if (result.problems.length > 0) io.exit(EXIT.failed.code)
  const files = groups.flat().map(({ name, layer }) => ({ name, layer }))
  if (io.json) return printJson(io, { files, ...result })
  report(result, files.length, io)
}

function report({ problems, warnings, notes }: PolicyLint, files: number, io: Io): void {
  for (const problem of problems) print(io, safeText(formatProblem(problem)))
  for (const warning of warnings)
    print(io, safeText(formatProblem({ ...warning, message: `warning: ${warning.message}` })))
  for (const note of notes) print(io, safeText(formatProblem({ ...note, message: `note: ${note.message}` })))
  if (files === 0) {
    say(io, 'no policy files; the preset `balanced` applies')
    return
  }
  const state = problems.length > 0 ? 'invalid: every call is held until this is fixed' : 'no problems'
  const counted = problems.length > 0 ? `${count(problems.length, 'problem')}, ` : ''
  say(
    io,
    `${count(files, 'file')}: ${counted}${warnings.length > 0 ? `${count(warnings.length, 'warning')}, ` : ''}${state}`,
  )
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
