import { basename, join } from 'node:path'
import type { Plugin } from 'rolldown'

const PREFIX = '\0lazy:'

/** Modules by path from the repository root, each with the functions that others import from it. */
export type LazyModules = { readonly [path: string]: readonly string[] }

/**
 * Modules that some starts do not need: risk rating, deceptive characters, the policy parser with its YAML reader
 * and schemas, regular expressions.
 */
export const LAZY_MODULES: LazyModules = {
  'packages/core/src/audit/bundle-gates.ts': ['gatesOf', 'checkSigners'],
  'packages/core/src/command/code/read-variables.ts': ['variablesRead'],
  'packages/core/src/command/decompose-call.ts': ['decomposeCall'],
  'packages/core/src/command/decompose.ts': ['decompose', 'decomposeArgv', 'decomposeUnproven'],
  'packages/core/src/display/lookalike.ts': ['confusableWords', 'markLookalikes'],
  'packages/core/src/display/odd-characters.ts': ['findOddCharacters'],
  'packages/core/src/intent/read-intent.ts': ['readIntent'],
  'packages/core/src/knowledge/programs.ts': [
    'programRow',
    'programNames',
    'beforeVerb',
    'optionTables',
    'printedLines',
    'knownPackages',
    'rowList',
    'valuedOptions',
    'valuedOptionsOf',
    'valuedOptionsExcept',
  ],
  'packages/core/src/risk/nested-calls/finder.ts': ['findInnerCalls', 'makesCalls'],
  'packages/core/src/risk/nested-calls/interpretations.ts': ['innerReadings'],
  'packages/core/src/risk/rate-risk.ts': ['rateRisk'],
  'packages/core/src/policy/parse/knowledge-file.ts': ['loadKnowledgeFile'],
  'packages/core/src/policy/parse/policy-file.ts': ['loadPolicyFile'],
  'packages/core/src/policy/parse/yaml-tree.ts': ['readYaml'],
  'packages/core/src/policy/schema/json-schema.ts': ['policyJsonSchema'],
  'packages/core/src/policy/schema/grant-pattern.ts': ['parseGrantPattern'],
  'packages/core/src/policy/schema/regular-expression.ts': ['compileExpression'],
  'packages/core/src/runners/build/taskfile.ts': ['seeTask'],
  'packages/core/src/runners/settings/yaml-values.ts': ['settingsIn'],
  'packages/core/src/runners/written/value-leaves.ts': ['leavesOf'],
}

/** The bundle entries of lazy modules: each is a separate file. */
export function lazyEntries(modules: LazyModules): Record<string, string> {
  return Object.fromEntries(Object.keys(modules).map((path) => [entryName(path), path]))
}

/** Whether a module is the stub of a lazy one. */
export function isLazy(id: string): boolean {
  return id.startsWith(PREFIX)
}

function entryName(path: string): string {
  return basename(path, '.ts')
}

/**
 * Loads a module on the first call of one of its functions instead of at startup. Importers get functions of the
 * same names, which `require` the module's file in the bundle.
 */
export function lazyModules(root: string, modules: LazyModules): Plugin {
  const functions = new Map(Object.entries(modules).map(([path, names]) => [join(root, path), names]))
  return {
    name: 'lazy-modules',
    async resolveId(source, importer, options) {
      if (importer === undefined || importer.startsWith(PREFIX)) return null
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
      return resolved !== null && functions.has(resolved.id) ? `${PREFIX}${resolved.id}` : null
    },
    load(id) {
      const path = id.slice(PREFIX.length)
      const names = id.startsWith(PREFIX) ? functions.get(path) : undefined
      if (names === undefined) return null
      const file = JSON.stringify(`./${entryName(path)}.js`)
      return [
        "import { createRequire } from 'node:module'\n",
        'let loaded\n',
        `const load = () => (loaded ??= createRequire(import.meta.url)(${file}))\n`,
        ...names.map((name) => `export function ${name}(...args) { return load().${name}(...args) }\n`),
      ].join('')
    },
  }
}
