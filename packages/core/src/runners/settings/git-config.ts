import type { Origin } from '../../command/model/decomposition.ts'
import type { ProjectFile, ProjectReader } from '../reading/project-reader.ts'
import { placeIn } from '../reading/runner.ts'

/** One setting of a repository. Section and key are in lower case; a subsection is as written. */
export interface GitSetting {
  /** `core.pager`, `filter.lfs.clean` */
  readonly name: string
  readonly value: string
  readonly origin: Origin
}

const HEADER = /^\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/
const ENTRY = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/
const MAX_INCLUDES = 8

/** The settings of a config file and of the files it includes. */
export async function readGitConfig(
  first: ProjectFile,
  reader: ProjectReader,
): Promise<{ readonly settings: readonly GitSetting[]; readonly opaque: readonly string[] }> {
  const settings: GitSetting[] = []
  const opaque: string[] = []
  const waiting = [first]
  for (let count = 0; waiting.length > 0; count++) {
    const file = waiting.shift()
    if (file === undefined) break
    const own = parseGitConfig(file)
    settings.push(...own)
    for (const { name, value } of own) {
      if (!/^include(?:if\..*)?\.path$/s.test(name)) continue
      const reading =
        count < MAX_INCLUDES ? await reader.read(value, file.real.slice(0, file.real.lastIndexOf('/'))) : null
      if (reading?.kind === 'file') waiting.push(reading)
      else if (reading?.kind !== 'absent') opaque.push(`\`${file.shown}\` includes settings that can’t be read`)
    }
  }
  return { settings, opaque }
}

function parseGitConfig(file: ProjectFile): readonly GitSetting[] {
  const settings: GitSetting[] = []
  let section = ''
  const lines = file.text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = at + 1
    let text = lines[at] ?? ''
    while (/(?:^|[^\\])(?:\\\\)*\\$/.test(text) && at + 1 < lines.length) text = text.slice(0, -1) + (lines[++at] ?? '')
    const header = HEADER.exec(text)
    if (header !== null) {
      const [, name = '', subsection] = header
      section =
        subsection === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${subsection.replace(/\\(.)/g, '$1')}`
      text = header[3] ?? ''
    }
    const entry = /^\s*[#;]/.test(text) ? null : ENTRY.exec(text)
    if (entry === null || section === '') continue
    const [, key = '', value] = entry
    settings.push({
      name: `${section}.${key.toLowerCase()}`,
      value: plain(value ?? 'true'),
      origin: placeIn(file, line),
    })
  }
  return settings
}

/** A value without quotes, escapes and comments. */
function plain(value: string): string {
  let out = ''
  let isQuoted = false
  for (let at = 0; at < value.length; at++) {
    const sign = value[at] ?? ''
    if (sign === '"') isQuoted = !isQuoted
    else if (sign === '\\') out += value[++at] === 'n' ? '\n' : (value[at] ?? '')
    else if (!isQuoted && (sign === '#' || sign === ';')) break
    else out += sign
  }
  return out.trim()
}
