import { CountersignError } from '../../errors.ts'
import type { PresetChecks, PresetRow, Rule } from '../model/rule.ts'
import { type Supervision, strictest } from '../model/supervision.ts'
import type { LoadedFile } from '../parse/policy-file.ts'
import { BUILTIN, PRESETS } from '../presets/compiled/presets.ts'
import { PRESET_NAMES, type PresetName } from '../presets/preset-name.ts'
import { asFloors } from './layer-rules.ts'

/** A loaded preset: its table of answers by risk, and its rules. */
export interface Preset {
  readonly row: PresetRow
  readonly rules: readonly Rule[]
}

/** A preset's file with its tests, parsed and checked at build time. */
export function loadPreset(name: PresetName): LoadedFile {
  return PRESETS[name].file()
}

/** The rules that protect the gate itself, in force under every preset. */
export function loadBuiltin(): LoadedFile {
  return BUILTIN.file()
}

/**
 * Combines presets. The result of several (an organization's and the person's) is at least as strict as each: the stricter
 * answer for every risk, and all rules as floors.
 */
export function combinePresets(names: readonly PresetName[]): Preset {
  const chosen = PRESET_NAMES.filter((name) => names.includes(name)).map((name) => presetOf(name))
  const [first, ...others] = chosen
  if (first === undefined) return combinePresets(['balanced'])
  if (others.length === 0) return first
  const name = chosen.map(({ row }) => row.preset).join('+')
  return {
    row: strictestRow(name, [first.row, ...others.map(({ row }) => row)]),
    rules: chosen.flatMap(({ rules }) => asFloors(rules)),
  }
}

function presetOf(name: PresetName): Preset {
  const { row, rules } = loadPreset(name)
  if (row === null) throw new CountersignError('CS_INTERNAL', `the preset \`${name}\` has no rows; please report this`)
  return { row: { preset: name, ...row }, rules }
}

/** Strictest first. */
const CONTAINED = ['proven', 'any', 'never'] as const

/** The strictest answer of several rows for every risk. */
export function strictestRow(preset: string, rows: readonly [PresetRow, ...PresetRow[]]): PresetRow {
  const level = (pick: (row: PresetRow) => Supervision) => strictest(rows.map(pick))
  return {
    preset,
    byRisk: {
      none: level((row) => row.byRisk.none),
      low: level((row) => row.byRisk.low),
      medium: level((row) => row.byRisk.medium),
      high: level((row) => row.byRisk.high),
      critical: level((row) => row.byRisk.critical),
    },
    undescribed: level((row) => row.undescribed),
    contained: CONTAINED.find((choice) => rows.some((row) => row.contained === choice)) ?? 'proven',
    contact: level((row) => row.contact ?? 'confirm'),
    ignoresDeclarations: rows.every((row) => row.ignoresDeclarations),
    ...checksOf(rows.flatMap(({ checks }) => checks ?? [])),
  }
}

function checksOf(all: readonly PresetChecks[]): Pick<PresetRow, 'checks'> {
  if (all.length === 0) return {}
  const changes = [...new Set(all.flatMap((checks) => checks.changes))]
  return { checks: { changes, advisory: all.every((checks) => checks.advisory) } }
}
