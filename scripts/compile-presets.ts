/**
 * Parses the presets' YAML into `packages/core/src/policy/presets/compiled`, so that the program does not parse or
 * validate them at startup. The module is not committed: the build and the tests write it first.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = join(import.meta.dirname, '../packages/core/src/policy/presets')

/** The compiled module: the exact text of each preset, from which the policy's hash is computed, and its parsed file. */
export async function compiledPresets(): Promise<string> {
  // Imported here because these sources import the compiled knowledge, which is written just before.
  const { PRESET_NAMES } = await import('../packages/core/src/policy/presets/preset-name.ts')
  const { BUILTIN_CHECKS } = await import('../packages/core/src/policy/model/builtin-checks.ts')
  const { formatProblem } = await import('../packages/core/src/policy/model/policy-problem.ts')
  const { loadPolicyFile } = await import('../packages/core/src/policy/parse/policy-file.ts')

  function compile(layer: 'preset' | 'builtin', name: string): string {
    const text = readFileSync(join(folder, `${name}.yaml`), 'utf8')
    // Presets may name built-in checks only: they apply before any checker is registered.
    const file = loadPolicyFile({ layer, name: `${name}.yaml`, text }, { checkers: BUILTIN_CHECKS })
    if (file.kind === 'refused') throw new Error(file.problems.map(formatProblem).join('\n'))
    return `{ text: ${JSON.stringify(text)}, file: () => (${JSON.stringify(file)}) }`
  }

  const presets = PRESET_NAMES.map((name) => `  ${JSON.stringify(name)}: ${compile('preset', name)},\n`)
  return [
    '// Compiled from policy/presets/*.yaml. Do not edit.\n',
    "import type { LoadedFile } from '../../parse/policy-file.ts'\n",
    "import type { PresetName } from '../preset-name.ts'\n\n",
    'interface CompiledFile {\n  readonly text: string\n  readonly file: () => LoadedFile\n}\n\n',
    `export const PRESETS: { readonly [name in PresetName]: CompiledFile } = {\n${presets.join('')}}\n\n`,
    `export const BUILTIN: CompiledFile = ${compile('builtin', 'builtin')}\n`,
  ].join('')
}

/** Writes the module if it changed. */
export async function writePresets(): Promise<void> {
  const path = join(folder, 'compiled/presets.ts')
  const text = await compiledPresets()
  if (contentOf(path) === text) return
  mkdirSync(join(folder, 'compiled'), { recursive: true })
  writeFileSync(path, text)
}

function contentOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writePresets()
