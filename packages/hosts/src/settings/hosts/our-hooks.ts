import { CountersignError, isJsonObject, type Json, type JsonObject } from '@countersign/core'
import { isSameData } from '../../answer/host-call.ts'
import type { HostName } from '../../contract/host-name.ts'
import { changeJson, type JsonChange } from '../files/json-change.ts'
import { type JsonPath, type JsonText, keyTwice, valueAt } from '../files/json-text.ts'
import type { HookFile } from './hook-files.ts'
import { readHookLine } from './hook-line.ts'

type HooksFile = Extract<HookFile, { readonly kind: 'hooks' }>

/** A hook of ours in an agent's settings. */
interface OurHook {
  readonly event: string
  /** Of the handler; or of its whole group, if nothing else is in it. */
  readonly path: JsonPath
  readonly isWhole: boolean
}

/** Every hook of ours in parsed settings, in order. Those of other people are never touched. */
export function findOurHooks(data: JsonObject, host: HostName): readonly OurHook[] {
  const events = data['hooks']
  if (!isJsonObject(events)) return []
  return Object.entries(events).flatMap(([event, list]) =>
    items(list).flatMap((item, at): readonly OurHook[] => {
      const path = ['hooks', event, at]
      if (isOurs(item, host)) return [{ event, path, isWhole: true }]
      const group = isJsonObject(item) ? items(item['hooks']) : []
      const ours = group.flatMap((handler, index) => (isOurs(handler, host) ? [index] : []))
      if (ours.length > 0 && ours.length === group.length) return [{ event, path, isWhole: true }]
      return ours.map((index) => ({ event, path: [...path, 'hooks', index], isWhole: false }))
    }),
  )
}

function items(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

function isOurs(handler: Json, host: HostName): boolean {
  if (!isJsonObject(handler)) return false
  return [handler['command'], handler['bash']].some(
    (line) => typeof line === 'string' && readHookLine(line)?.host === host,
  )
}

/** Settings with exactly these hooks of ours. Earlier ones are updated in their place. */
export function installHooks(file: JsonText, wish: HooksFile, host: HostName): JsonText {
  const { path: name, dialect, shape, head, hooks } = wish
  refuseTwice(file, name)
  let now = file
  const change = (one: JsonChange): void => {
    now = changeJson(now, one, name, dialect)
  }
  for (const [key, value] of Object.entries(head))
    if (now.data[key] === undefined) change({ kind: 'set', path: [key], value: value as Json })
  for (const { path } of findOurHooks(now.data, host)
    .filter(({ event }) => !hooks.some((hook) => hook.event === event))
    .toReversed())
    change({ kind: 'remove', path })
  for (const { event, handler } of hooks) {
    const item: Json = shape === 'groups' ? { hooks: [handler] } : handler
    const ours = findOurHooks(now.data, host).filter((one) => one.event === event)
    const [only] = ours
    if (only !== undefined && ours.length === 1 && only.isWhole) {
      if (!isSameData(valueAt(now.data, only.path), item)) change({ kind: 'set', path: only.path, value: item })
      continue
    }
    for (const { path } of ours.toReversed()) change({ kind: 'remove', path })
    change({ kind: 'append', path: ['hooks', event], value: item })
  }
  return now
}

/** Settings without our hooks, and without the empty lists they leave behind, except where `before` had one. */
export function uninstallHooks(
  file: JsonText,
  name: string,
  dialect: 'json' | 'jsonc',
  host: HostName,
  before: JsonObject,
): JsonText {
  refuseTwice(file, name)
  let now = file
  const remove = (path: JsonPath): void => {
    now = changeJson(now, { kind: 'remove', path }, name, dialect)
  }
  const ours = findOurHooks(now.data, host)
  for (const { path } of ours.toReversed()) remove(path)
  const emptied = [...new Set(ours.map(({ event }) => event))].map((event) => ['hooks', event])
  for (const path of ours.length === 0 ? [] : [...emptied, ['hooks']])
    if (isEmpty(valueAt(now.data, path)) && valueAt(before, path) === undefined) remove(path)
  return now
}

function isEmpty(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0
  return isJsonObject(value) && Object.keys(value).length === 0
}

function refuseTwice({ root }: JsonText, name: string): void {
  const twice = keyTwice(root, ['hooks'])
  if (twice !== null)
    throw new CountersignError(
      'CS_CLIENT_CONFIG',
      `\`${name}\` was not changed: the key \`${twice}\` appears twice; remove one of them`,
    )
}
