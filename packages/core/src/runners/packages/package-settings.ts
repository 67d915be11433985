import { PACKAGE_SETTINGS } from '../../knowledge/compiled/runners.ts'
import type { PackageSettingsRow } from '../../knowledge/runners.ts'
import type { ProjectReader } from '../reading/project-reader.ts'

/** `name = value`, `name: value`, or a line that goes on below such a name in YAML. */
const SETTING = { ini: /^([\w@:./-]+)\s*=/, yaml: /^([\w-]+):(?:\s|$)/ }
const NESTED = /^(?: +\S|- )/

/**
 * Why the settings of a package manager may change which code a script runs. Those of every folder above count too: a package
 * can be a member of a workspace there.
 */
export async function oddSettings(program: string, folder: string, reader: ProjectReader): Promise<readonly string[]> {
  const odd: string[] = []
  for (const at of reader.upwards(folder))
    for (const row of PACKAGE_SETTINGS.rows) {
      if (!row.programs.includes(program)) continue
      const reading = await reader.read(row.file, at)
      if (reading.kind === 'opaque') odd.push(reading.why)
      else if (reading.kind === 'file' && hasOddSetting(reading.text, row))
        odd.push(`\`${reading.shown}\` changes how scripts run`)
    }
  return odd
}

function hasOddSetting(text: string, { file, harmless }: PackageSettingsRow): boolean {
  if (harmless === undefined) return true
  const format = file === '.npmrc' ? 'ini' : 'yaml'
  return text.split(/\r?\n/).some((line) => {
    if (/^\s*(?:[#;].*)?$/.test(line) || (format === 'yaml' && NESTED.test(line))) return false
    const name = SETTING[format].exec(line.trim())?.[1]
    // Credentials of a registry and registries of a scope.
    return name === undefined || !(harmless.includes(name) || /^\/\/|^@[\w-]+:registry$/.test(name))
  })
}
