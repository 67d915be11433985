import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  CountersignError,
  coverSecrets,
  formatProblem,
  type JsonObject,
  loadPolicy,
  type PolicyFile,
  safeText,
} from '@countersign/core'
import { openCrypto } from '@countersign/node'
import { existingHome } from '../home/existing-home.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { readAdh } from './import/adh.ts'
import { allowedInProject, type Carried, type ForeignFile, type Source, withheld } from './import/carried.ts'
import { readClaudeCode } from './import/claude-code.ts'
import { readCodex } from './import/codex.ts'
import { findForeignFiles } from './import/foreign-files.ts'
import { readGemini } from './import/gemini.ts'
import { policyText } from './import/policy-text.ts'
import { readVsCode } from './import/vscode.ts'
import { CHECKERS, filesInForce } from './policy-sources.ts'

const READERS: Readonly<Record<Source, (file: ForeignFile) => readonly Carried[]>> = {
  'claude-code': readClaudeCode,
  codex: readCodex,
  gemini: readGemini,
  vscode: readVsCode,
  adh: readAdh,
}

export interface ImportFlags {
  readonly from: Source
  readonly file?: string
  readonly apply?: true
  readonly reason?: string
}

/** How many rules of its own another product has, in its usual files. */
export function countRules(from: Source, project: string, home: string): number {
  return findForeignFiles(from, project, home).flatMap((file) =>
    READERS[from](file).filter(({ kind }) => kind === 'rule'),
  ).length
}

/** Prints the rules of another product as a policy file, and checks it together with the active files. */
export async function importRules({ from, file, apply, reason }: ImportFlags, io: Io): Promise<void> {
  const home = existingHome(io)
  const files = file === undefined ? findForeignFiles(from, io.cwd) : [namedFile(from, file, io)]
  if (files.length === 0)
    throw new CountersignError('CS_USAGE', `no settings of ${from} found; name a file with \`--file\``)
  const read = files.flatMap((one) => {
    const rules = READERS[from](one)
    return apply === true && file === undefined ? rules.map((rule) => allowedInProject(rule, one)) : rules
  })
  // SECURITY: A32, settings of other programs may hold tokens.
  const carried = withheld(read).map((one) => ({ ...one, text: coverSecrets(one.text) }))
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
  say(io, `${rules} of ${carried.length} rules carried over${missing === 0 ? '' : '; the rest are listed at the end'}`)
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
