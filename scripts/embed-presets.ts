import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Writes `policy/presets/embedded*.ts`: core reads no files, so the presets' exact text travels as constants. */

const folder = new URL('../packages/core/src/policy/presets/', import.meta.url)
const names = ['paranoid', 'balanced', 'permissive', 'read-only', 'classic']

function textOf(name: string): string {
  return readFileSync(new URL(`${name}.yaml`, folder), 'utf8')
}

function literal(text: string): string {
  return `\`${text.replace(/[\\`]|\$\{/g, (found) => `\\${found}`)}\``
}

const HEAD = '// Made from the YAML beside it by `node scripts/embed-presets.ts`. Do not edit.\n'

/** The modules as they should be, by their file's name. */
export function embeddedPresets(): Readonly<Record<string, string>> {
  return { 'embedded.ts': presetsModule(), 'embedded-builtin.ts': builtinModule() }
}

function presetsModule(): string {
  const entries = names.map((name) => `  ${/^\w+$/.test(name) ? name : `'${name}'`}: ${literal(textOf(name))},\n`)
  return [
    HEAD,
    "import type { PresetName } from './preset-name.ts'\n\n",
    '/** The presets, as their files say. */\n',
    `export const PRESET_TEXTS: Readonly<Record<PresetName, string>> = {\n${entries.join('')}}\n`,
  ].join('')
}

function builtinModule(): string {
  const text = literal(textOf('builtin'))
  return `${HEAD}\n/** What protects the gate itself. */\nexport const BUILTIN_TEXT = ${text}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, text] of Object.entries(embeddedPresets())) writeFileSync(new URL(file, folder), text)
}
