import {
  formatProblem,
  type PolicyFile,
  readKnowledge,
  safeText,
  type TestedExample,
  testKnowledge,
} from '@countersign/core'
import { openCrypto } from '@countersign/node'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import { existingHome } from '../home/existing-home.ts'
import { layerOption } from '../policy/lint.ts'
import { byLayer, filesInForce, namedFiles } from '../policy/policy-sources.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'

interface CheckFlags {
  readonly layer: PolicyFile['layer']
}

const NO_FILES = 'no knowledge files; add one to the folder `knowledge` of your home'

export function defineLint(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign knowledge lint', 'every active file'],
    ['countersign knowledge lint draft.yaml', 'one file, as your own knowledge'],
  ])
  command
    .argument('[file...]', 'files to check instead of the active ones')
    .addOption(layerOption())
    .action((paths: readonly string[], flags: CheckFlags) => lint(paths, flags, io))
}

export function defineTest(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign knowledge test', 'the examples of every active file'],
    ['countersign knowledge test draft.yaml', 'the examples of one file'],
  ])
  command
    .argument('[file...]', 'files to test instead of the active ones, each on its own')
    .addOption(layerOption())
    .action((paths: readonly string[], flags: CheckFlags) => test(paths, flags, io))
}

/** The files to check: those given, each on its own, or the active ones. */
async function groupsOf(paths: readonly string[], { layer }: CheckFlags, io: Io) {
  if (paths.length > 0) return (await namedFiles(paths, layer, io, { form: 'knowledge' })).map((file) => [file])
  return [(await filesInForce(existingHome(io), io)).filter(({ form }) => form === 'knowledge')]
}

async function lint(paths: readonly string[], flags: CheckFlags, io: Io): Promise<void> {
  const groups = await groupsOf(paths, flags, io)
  const read = groups.map(readKnowledge)
  const problems = read.flatMap((one) => one.problems)
  const warnings = read.flatMap((one) => one.warnings)
  const files = groups.flat().length
  if (problems.length > 0) io.exit(EXIT.failed.code)
  if (io.json) return printJson(io, { files, problems, warnings })
  for (const problem of problems) print(io, safeText(formatProblem(problem)))
  for (const warning of warnings)
    print(io, safeText(formatProblem({ ...warning, message: `warning: ${warning.message}` })))
  if (files === 0) return say(io, NO_FILES)
  const state = problems.length > 0 ? 'invalid: every call is held until this is fixed' : 'no problems'
  const counts = [
    [problems.length, 'problem'],
    [warnings.length, 'warning'],
  ] as const
  const counted = counts.filter(([number]) => number > 0).map(([number, noun]) => `${count(number, noun)}, `)
  say(io, `${count(files, 'file')}: ${counted.join('')}${state}`)
}

async function test(paths: readonly string[], flags: CheckFlags, io: Io): Promise<void> {
  const crypto = openCrypto(existingHome(io))
  const groups = await groupsOf(paths, flags, io)
  const read = (paths.length > 0 ? groups : groups.flatMap(byLayer)).map(readKnowledge)
  const problems = read.flatMap((one) => one.problems)
  const tested = read.flatMap((one) => testKnowledge(one, crypto))
  const failed = tested.filter(({ found }) => found !== null)
  const passed = tested.length - failed.length
  if (failed.length > 0 || problems.length > 0) io.exit(EXIT.failed.code)
  if (io.json) {
    const results = tested.map(({ example, found }) => ({
      ...example,
      status: found === null ? 'pass' : 'fail',
      found,
    }))
    return printJson(io, { passed, failed: failed.length, problems, results })
  }
  for (const problem of problems) print(io, safeText(formatProblem(problem)))
  for (const one of failed) print(io, safeText(failureText(one)))
  if (problems.length > 0) say(io, 'invalid knowledge files are not tested; fix them first')
  else if (groups.flat().length === 0) say(io, NO_FILES)
  else if (tested.length === 0) say(io, 'these files have no `examples:`')
  print(io, `${passed} passed, ${failed.length} failed`)
}

function failureText({ example: { file, line, level, of }, found }: TestedExample): string {
  const what = of.kind === 'command' ? of.command : `${of.name} ${JSON.stringify(of.args)}`
  return `${file}:${line}: expected ${level}, got ${found}: ${what}`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
