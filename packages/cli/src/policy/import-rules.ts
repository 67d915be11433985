import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  assertNever,
  CountersignError,
  coverSecrets,
  formatProblem,
  type JsonObject,
  loadPolicy,
  type PolicyFile,
  safeText,
} from '@countersign/core'
import { type Carried, type ForeignFile, loadRules, type Source } from '@countersign/hosts'
import { openCrypto } from '@countersign/node'
import { existingHome } from '../home/existing-home.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { CHECKERS, filesInForce } from './policy-sources.ts'
import { policyText } from './policy-text.ts'

type Readers = Pick<
  Awaited<ReturnType<typeof loadRules>>,
  'readAdh' | 'readClaudeCode' | 'readCodex' | 'readGemini' | 'readVsCode'
>

function readerOf(from: Source, rules: Readers): (file: ForeignFile) => readonly Carried[] {
  switch (from) {
    case 'claude-code':
      return rules.readClaudeCode
    case 'codex':
      return rules.readCodex
    case 'gemini':
      return rules.readGemini
    case 'vscode':
      return rules.readVsCode
    case 'adh':
      return rules.readAdh
    default:
      return assertNever(from)
  }
}

export interface ImportFlags {
  readonly from: Source
  readonly file?: string
  readonly apply?: true
  readonly reason?: string
}

/** The number of rules in another product's usual files. */
export async function countRules(from: Source, project: string, home: string): Promise<number> {
  const rules = await loadRules()
  const read = readerOf(from, rules)
  return rules.findForeignFiles(from, project, home).flatMap((file) => read(file).filter(({ kind }) => kind === 'rule'))
    .length
}

/** Prints the rules of another product as a policy file, and checks it together with the active files. */
export async function importRules({ from, file, apply, reason }: ImportFlags, io: Io): Promise<void> {
  const home = existingHome(io)
  const { allowedInProject, findForeignFiles, withheld, ...readers } = await loadRules()
  const read = readerOf(from, readers)
  const files = file === undefined ? findForeignFiles(from, io.cwd) : [namedFile(from, file, io)]
  if (files.length === 0)
    throw new CountersignError('CS_USAGE', `no settings of ${from} found; name a file with \`--file\``)
  const found = files.flatMap((one) => {
    const rules = read(one)
    return apply === true && file === undefined ? rules.map((rule) => allowedInProject(rule, one)) : rules
  })
  // SECURITY: A32, settings of other programs may hold tokens.
  const carried = withheld(found).map((one) => ({ ...one, text: coverSecrets(one.text) }))
  const text = policyText(from, carried)
  const imported: PolicyFile = { layer: 'user', name: `imported-${from}.yaml`, text, trusted: true }
  const loaded = loadPolicy([...(await filesInForce(home, io)), imported], {
    checkers: CHECKERS,
    crypto: openCrypto(home),
  })
  if (loaded.kind === 'refused')
    throw new CountersignError(
      'CS_POLICY_INVALID',
      `the imported rules don’t fit your policy: ${loaded.problems.map(formatProblem).map(safeText).join('; ')}`,
    )
  if (apply === true) {
    const { changePolicy } = await import('./apply-change.ts')
    const rules = carried.flatMap((one, at) => (one.kind === 'rule' ? [signedRule(one, `${from}-${at + 1}`)] : []))
    return changePolicy({ kind: 'add', rules, from }, reason === undefined ? {} : { reason }, io)
  }
  const rules = carried.filter(({ kind }) => kind === 'rule').length
  if (io.json) return printJson(io, { files: files.map(({ name }) => name), policy: text, carried })
  print(io, text.trimEnd())
  const missing = carried.length - rules
  say(io, `${rules} of ${carried.length} rules imported${missing === 0 ? '' : '; the rest are listed at the end'}`)
}

/** Comments are not signed, so the origin of the rule is its reason. */
function signedRule(
  { from, text, when, supervision, floor }: Extract<Carried, { readonly kind: 'rule' }>,
  id: string,
): JsonObject {
  return { id, ...when, supervision, ...(floor ? { floor } : {}), reason: `${from}: ${text}`.slice(0, 200) }
}

function namedFile(source: Source, path: string, io: Io): ForeignFile {
  try {
    return { source, name: path, text: readFileSync(resolve(io.cwd, path), 'utf8'), scope: 'project' }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new CountersignError('CS_USAGE', `\`${safeText(path)}\` cannot be read (${code}); check the path`, {
      cause: error,
    })
  }
}
