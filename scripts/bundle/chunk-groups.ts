import { isLazy } from './lazy-modules.ts'

const CALL = inFolders(
  'packages/core/src/(call|command/programs|display|ports|risk/(path|report)|secrets)/(?!lookalike|odd-characters)',
  'packages/core/src/command/expansion/decoded-text\\.ts$',
  'packages/core/src/knowledge/(compiled/)?(containment|display|lookalikes|network|program-rows|runners)\\.ts$',
  'packages/terminal/src/card/text/(color|format)\\.ts$',
  'packages/cli/src/terminal/(layout|json-lines)\\.ts$',
  'packages/cli/src/home/deciding-guard\\.ts$',
)

/** Few large files instead of many small ones: each file takes time to find, read and link. */
export const GROUPS = [
  // Reading YAML and checking it by schemas: only where there is a file to read.
  {
    name: 'yaml',
    priority: 7,
    includeDependenciesRecursively: false,
    test: inFolders(
      'node_modules/yaml/',
      'packages/core/src/policy/parse/yaml-tree\\.ts$',
      'packages/core/src/runners/settings/yaml-values\\.ts$',
      'packages/core/src/runners/written/value-leaves\\.ts$',
      'packages/core/src/runners/build/taskfile\\.ts$',
    ),
  },
  {
    name: 'schemas',
    priority: 6,
    includeDependenciesRecursively: false,
    test: inFolders(
      'node_modules/zod/',
      'packages/core/src/knowledge/(own-schema|program-schema|strict-object)\\.ts$',
      'packages/core/src/policy/schema/(checks|conditions|policy-document|risk-rating|scalars|test-case)\\.ts$',
      'packages/core/src/policy/parse/(?!cross-field-problems)',
    ),
  },
  // Every start: parsing the command line, and reporting errors.
  {
    name: 'start',
    priority: 5,
    test: inFolders(
      'node_modules/commander/',
      'packages/cli/src/[^/]+\\.ts$',
      'packages/cli/src/terminal/(color-preference|controlling-terminal|exit-codes|io|report-error)\\.ts$',
      'packages/cli/src/arguments/help-examples\\.ts$',
      'packages/core/src/errors\\.ts$',
      'packages/core/src/display/escape\\.ts$',
    ),
  },
  // Shared by gates and risk ratings.
  {
    name: 'call',
    priority: 4,
    test: (id: string) => isLazy(id) || CALL(id),
  },
  // Only homes that share a store with other gates.
  {
    name: 'sharing',
    priority: 3,
    includeDependenciesRecursively: false,
    test: inFolders(
      'packages/core/src/journal/gates/',
      'packages/node/src/sharing/',
      'packages/core/src/audit/bundle-gates\\.ts$',
    ),
  },
  {
    name: 'intent',
    priority: 3,
    test: inFolders('packages/core/src/intent/'),
  },
  // Risk ratings without a gate.
  {
    name: 'risk',
    priority: 2,
    test: inFolders('node_modules/unbash/', 'packages/core/src/(command|knowledge|risk|secrets)/'),
  },
  // Reading a home's files without opening a gate.
  {
    name: 'home',
    priority: 2,
    includeDependenciesRecursively: false,
    test: inFolders(
      'packages/core/src/policy/(load/(own-knowledge|layer-rules)|model/(builtin-checks|policy-problem))\\.ts$',
      'packages/node/src/(files|home|policy|system)/',
      'packages/node/src/keys/(ed25519|home-keys|key-file)\\.ts$',
      'packages/node/src/service/(control-client|line-reader|runtime-files)\\.ts$',
      'packages/cli/src/home/existing-home\\.ts$',
      'packages/cli/src/policy/policy-sources\\.ts$',
    ),
  },
  // Opening a gate, and showing a held call as text.
  {
    name: 'gate',
    priority: 1,
    test: inFolders(
      'packages/core/src/(?!policy/(authoring/|schema/(grant-pattern|json-schema|regular-expression)\\.ts))',
      'packages/node/src/(?!checkers/)',
      'packages/terminal/src/card/',
      'packages/cli/src/(decision|home|prompt)/',
      'packages/cli/src/exec/(command-call|run-gated)\\.ts$',
    ),
  },
]

function inFolders(...patterns: readonly string[]): (id: string) => boolean {
  const expression = new RegExp(`^/.*/(${patterns.join('|')})`)
  return (id) => expression.test(id)
}
