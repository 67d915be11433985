import { CountersignError, isJsonObject, type JsonObject } from '@countersign/core'
import { isSameData } from '../answer/host-call.ts'
import type { HostName } from '../contract/host-name.ts'
import { changeJson } from './files/json-change.ts'
import { type JsonText, keyTwice, readJson, valueAt } from './files/json-text.ts'
import { readToml, withBlock, withoutBlock } from './files/toml-block.ts'
import type { HookFile, SpelledHook } from './hosts/hook-files.ts'
import { findOurHooks, installHooks, uninstallHooks } from './hosts/our-hooks.ts'
import { MADE_BY } from './hosts/place-hooks.ts'

/** The text of a file with our part added; null stands for a missing file. Throws CS_CLIENT_CONFIG if the edit isn't safe. */
export function withOurs(text: string | null, wish: HookFile, host: HostName): string {
  switch (wish.kind) {
    case 'own':
      if (text === null || text.includes(MADE_BY)) return wish.text
      throw refused(wish.path, 'it was not written by `countersign init`; move it away first')
    case 'toml':
      return tomlWith(text ?? '', wish, host)
    case 'member': {
      const file = jsonOf(text ?? '', wish.path, 'jsonc')
      refuseTwice(file, wish)
      const now = valueAt(file.data, wish.at)
      if (now !== undefined && isSameData(now, wish.value)) return text ?? ''
      return changeJson(file, { kind: 'set', path: wish.at, value: wish.value }, wish.path, 'jsonc').text
    }
    case 'hooks':
      return installHooks(jsonOf(text ?? '', wish.path, wish.dialect), wish, host).text
  }
}

/** The text without our part; null if nothing else is left of a file that `init` created. `before` is what it was. */
export function withoutOurs(
  text: string,
  wish: Pick<HookFile, 'kind' | 'path'>,
  host: HostName,
  before: string | null,
): string | null {
  switch (wish.kind) {
    case 'own':
      return null
    case 'toml': {
      const after = withoutBlock(withoutBlock(text, wish.path, 'trust'), wish.path, 'hooks')
      const data = tomlOf(after, wish.path)
      if (!isSameData(withoutState(tomlOf(text, wish.path), host), withoutState(data, host))) throw unsafe(wish.path)
      return before === null && after.trim() === '' ? null : after
    }
    case 'member':
      return withoutMember(text, wish, before)
    case 'hooks': {
      const was = before === null ? {} : jsonOf(before, wish.path, 'jsonc').data
      const after = uninstallHooks(jsonOf(text, wish.path, 'jsonc'), wish.path, 'jsonc', host, was)
      const isOurs = before === null && Object.keys(after.data).every((key) => key === 'version')
      return isOurs ? null : after.text
    }
  }
}

const LOCATIONS = 'chat.hookFilesLocations'

/** Only VS Code has one: the path of our file among those of its hook files. */
function withoutMember(text: string, { path }: Pick<HookFile, 'path'>, before: string | null): string | null {
  const was = before === null ? {} : jsonOf(before, path, 'jsonc').data
  let file = jsonOf(text, path, 'jsonc')
  const locations = file.data[LOCATIONS]
  const ours = isJsonObject(locations)
    ? Object.keys(locations).filter((key) => key.endsWith('/countersign-hooks.json'))
    : []
  for (const key of ours) file = changeJson(file, { kind: 'remove', path: [LOCATIONS, key] }, path, 'jsonc')
  const rest = file.data[LOCATIONS]
  if (ours.length > 0 && isJsonObject(rest) && Object.keys(rest).length === 0 && was[LOCATIONS] === undefined)
    file = changeJson(file, { kind: 'remove', path: [LOCATIONS] }, path, 'jsonc')
  return before === null && Object.keys(file.data).length === 0 ? null : file.text
}

function refuseTwice({ root }: JsonText, { at, path }: Extract<HookFile, { readonly kind: 'member' }>): void {
  const twice = keyTwice(root, at.filter((step) => typeof step === 'string').slice(0, 1))
  if (twice !== null) throw refused(path, `the key \`${twice}\` appears twice; remove one of them`)
}

function jsonOf(text: string, path: string, dialect: 'json' | 'jsonc'): JsonText {
  const file = readJson(text, dialect)
  if (typeof file === 'string') throw refused(path, `${file}; fix it first`)
  return file
}

/** INVARIANT: what is not ours parses to the same data as before, and our hooks to exactly what they should be. */
function tomlWith(text: string, { path, hooks }: Extract<HookFile, { readonly kind: 'toml' }>, host: HostName): string {
  const before = tomlOf(text, path)
  const after = withBlock(text, hooks.flatMap(tomlLines), path, 'hooks')
  const data = readToml(after)
  if (typeof data === 'string' || !isSameData(withoutHooks(before, host), withoutHooks(data, host))) throw unsafe(path)
  const ours = findOurHooks(data, host).map((hook) => valueAt(data, hook.path))
  const wished = hooks.map(({ handler }) => ({ hooks: [handler] }))
  if (!isSameData(ours, wished)) throw unsafe(path)
  return after
}

function tomlLines({ event, handler }: SpelledHook): readonly string[] {
  const members = Object.entries(handler).map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
  return [`[[hooks.${event}]]`, `[[hooks.${event}.hooks]]`, ...members]
}

function tomlOf(text: string, path: string): JsonObject {
  const data = readToml(text)
  if (typeof data === 'string') throw refused(path, `${data}; fix it first`)
  return data
}

/** The data without our hooks, and without lists that only held them. */
function withoutHooks(data: JsonObject, host: HostName): JsonObject {
  const file = readJson(JSON.stringify(data), 'json')
  if (typeof file === 'string') throw new Error(file)
  const { hooks, ...rest } = uninstallHooks(file, 'settings', 'json', host, {}).data
  if (!isJsonObject(hooks)) return rest
  const kept = Object.entries(hooks).filter(([, list]) => !Array.isArray(list) || list.length > 0)
  return kept.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(kept) }
}

/** The same without what Codex keeps about hooks, such as a person's trust. */
function withoutState(data: JsonObject, host: HostName): JsonObject {
  const { hooks, ...rest } = withoutHooks(data, host)
  if (!isJsonObject(hooks)) return rest
  const { state: _, ...events } = hooks
  return Object.keys(events).length === 0 ? rest : { ...rest, hooks: events }
}

/** INVARIANT: only the trust in these hooks is added; everything else parses to the same data. */
export function withTrust(
  text: string,
  path: string,
  hooks: readonly { readonly key: string; readonly hash: string }[],
): string {
  const before = tomlOf(withoutBlock(text, path, 'trust'), path)
  const lines = hooks.flatMap(({ key, hash }) => [
    `[hooks.state.${JSON.stringify(key)}]`,
    `trusted_hash = ${JSON.stringify(hash)}`,
  ])
  const after = withBlock(text, lines, path, 'trust')
  const data = readToml(after)
  if (typeof data === 'string')
    throw refused(path, 'Codex has an older decision about these hooks; trust them in Codex, with `/hooks`')
  const kept = isSameData(withoutState(before, 'codex'), withoutState(data, 'codex'))
  if (!kept || !hooks.every(({ key, hash }) => valueAt(data, ['hooks', 'state', key, 'trusted_hash']) === hash))
    throw unsafe(path)
  return after
}

function unsafe(path: string): CountersignError {
  return refused(path, 'it can’t be edited safely; add the hooks by hand')
}

function refused(path: string, why: string): CountersignError {
  return new CountersignError('CS_CLIENT_CONFIG', `\`${path}\` was not changed: ${why}`)
}
