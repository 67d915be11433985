import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Writes `policy/presets/embedded.ts`: core reads no files, so the presets' exact text travels as constants. */

const folder = new URL('../packages/core/src/policy/presets/', import.meta.url)
const names = ['paranoid', 'balanced', 'permissive', 'read-only', 'classic']

function textOf(name: string): string {
  return readFileSync(new URL(`${name}.yaml`, folder), 'utf8')
}

function literal(text: string): string {
  return `\`${text.replace(/[\\`]|\$\{/g, (found) => `\\${found}`)}\``
}

/** The module as it should be. */
export function embeddedPresets(): string {
  const entries = names.map((name) => `  ${/^\w+$/.test(name) ? name : `'${name}'`}: ${literal(textOf(name))},\n`)
  return [
    '// Made from the YAML beside it by `node scripts/embed-presets.ts`. Do not edit.\n',
    "import type { PresetName } from '../preset-name.ts'\n\n",
    '/** The presets, as their files say. */\n',
    `export const PRESET_TEXTS: Readonly<Record<PresetName, string>> = {\n${entries.join('')}}\n\n`,
    '/** What protects the gate itself. */\n',
    `export const BUILTIN_TEXT = ${literal(textOf('builtin'))}\n`,
  ].join('')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(new URL('embedded.ts', folder), embeddedPresets())
