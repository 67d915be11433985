/** The presets a policy can choose. */
export const PRESET_NAMES = ['paranoid', 'balanced', 'permissive', 'read-only', 'classic'] as const

/** A ready-made answer for every risk, chosen with `preset:`. */
export type PresetName = (typeof PRESET_NAMES)[number]

export function isPresetName(name: string): name is PresetName {
  return PRESET_NAMES.some((one) => one === name)
}
