import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject } from '@countersign/core'
import type { HostName } from '../../contract/host-name.ts'
import { type JsonPath, readJson, valueAt } from '../files/json-text.ts'
import { readToml } from '../files/toml-block.ts'

/** A setting that makes an agent skip every hook. Measured in `test/hosts/ways-around.yaml`. */
interface OffSwitch {
  readonly base: 'home' | 'project'
  readonly file: string
  readonly at: JsonPath
  readonly off: boolean
}

const off = (base: OffSwitch['base'], file: string, at: JsonPath, value: boolean): OffSwitch => ({
  base,
  file,
  at,
  off: value,
})

const CLAUDE_FILES = [
  off('home', '.claude/settings.json', ['disableAllHooks'], true),
  off('project', '.claude/settings.json', ['disableAllHooks'], true),
  off('project', '.claude/settings.local.json', ['disableAllHooks'], true),
]

const SWITCHES: Partial<Readonly<Record<HostName, readonly OffSwitch[]>>> = {
  'claude-code': CLAUDE_FILES,
  codex: [off('home', '.codex/config.toml', ['features', 'hooks'], false)],
  'gemini-cli': [
    off('home', '.gemini/settings.json', ['hooksConfig', 'enabled'], false),
    off('project', '.gemini/settings.json', ['hooksConfig', 'enabled'], false),
  ],
  copilot: [
    off('home', '.copilot/settings.json', ['disableAllHooks'], true),
    off('project', '.github/copilot/settings.json', ['disableAllHooks'], true),
    ...CLAUDE_FILES,
  ],
}

/** A sentence for every setting that turns this agent's hooks off. */
export function offSwitches(
  host: HostName,
  { accountHome, project }: { readonly accountHome: string; readonly project: string },
): readonly string[] {
  return (SWITCHES[host] ?? []).flatMap(({ base, file, at, off: value }) => {
    const path = join(base === 'home' ? accountHome : project, file)
    const isOff = settingOf(path, at) === value
    return isOff
      ? [`hooks are turned off in \`${path}\`, so it runs tools without asking; remove \`${at.join('.')}\` there`]
      : []
  })
}

/** A file that can't be read turns nothing off: whoever plans to write it reports that. */
function settingOf(path: string, at: JsonPath): unknown {
  try {
    const text = readFileSync(path, 'utf8')
    const data = path.endsWith('.toml') ? readToml(text) : readJson(text, 'jsonc')
    if (typeof data === 'string') return undefined
    return valueAt('root' in data && isJsonObject(data.data) ? data.data : (data as never), at)
  } catch {
    return undefined
  }
}
