import { CountersignError, safeText } from '@countersign/core'
import { type ParseError, parse as parseJsonc } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { parse as parseYaml } from 'yaml'
import type { ForeignFile } from './carried.ts'

type Named = Pick<ForeignFile, 'name' | 'text'>

/** A JSON file, with comments and trailing commas as these products allow. */
export function jsonOf({ name, text }: Named): unknown {
  const errors: ParseError[] = []
  const value: unknown = parseJsonc(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true })
  if (errors.length > 0) throw invalid(name, 'JSON')
  return value
}

export function tomlOf({ name, text }: Named): unknown {
  return orInvalid(name, 'TOML', () => parseToml(text))
}

export function yamlOf({ name, text }: Named): unknown {
  return orInvalid(name, 'YAML', () => parseYaml(text, { maxAliasCount: 0 }))
}

function orInvalid(name: string, format: string, read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    throw invalid(name, format, error)
  }
}

function invalid(name: string, format: string, cause?: unknown): CountersignError {
  const message = `\`${safeText(name)}\` is not valid ${format}; fix the file, then import it again`
  return new CountersignError('CS_USAGE', message, { cause })
}

/** A map, or an empty one for anything else. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** The texts of a list, or the text itself as a list. */
export function stringsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
