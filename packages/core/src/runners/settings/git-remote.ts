import { urlTarget } from '../../call/address/host.ts'
import type { RemotePlace } from '../../command/model/decomposition.ts'
import type { GitSetting } from './git-config.ts'
import type { GitWords } from './git-words.ts'

const VERBS: readonly string[] = ['push', 'fetch', 'pull', 'ls-remote']

/** The places that a git command reaches through the remotes of its repository; undefined if it reaches none, or if one is not known. */
export function gitRemotes(
  { verb, rest }: GitWords,
  settings: readonly GitSetting[],
  top: string,
): readonly RemotePlace[] | undefined {
  if (!VERBS.includes(verb)) return undefined
  const named = rest.find(({ value }) => value === null || !value.startsWith('-'))
  if (named !== undefined && (named.value === null || named.glob)) return undefined
  const name = named?.value ?? onlyRemote(settings)
  if (name === null) return undefined
  const valuesOf = (key: string) => settings.filter((one) => one.name === `remote.${name}.${key}`)
  const pushed = verb === 'push' ? valuesOf('pushurl') : []
  const urls = (pushed.length > 0 ? pushed : valuesOf('url')).map(({ value }) => value)
  // A word that is no remote is a URL, which the words of the command tell, or a folder.
  if (urls.length === 0) return name.includes('/') && !/:/.test(name) ? [placeOf(name, top)] : undefined
  return urls.map((url) => placeOf(url, top))
}

function onlyRemote(settings: readonly GitSetting[]): string | null {
  const names = new Set(settings.flatMap(({ name }) => /^remote\.(.+)\.url$/s.exec(name)?.[1] ?? []))
  const [first = null] = names
  return names.size === 1 ? first : null
}

function placeOf(url: string, top: string): RemotePlace {
  const target = urlTarget(url)
  if (target.kind === 'host' && (target.scheme === 'https' || target.scheme === 'http'))
    return { kind: 'host', host: target.host, port: target.port }
  const path = url.replace(/^file:\/\/(?=\/)/i, '')
  // `host:path` is reached by ssh.
  if (path.startsWith('~') || /^[^/]*:/.test(path)) return { kind: 'other' }
  return { kind: 'folder', path: path.startsWith('/') ? path : `${top}/${path}` }
}
