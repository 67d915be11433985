import { type Change, CountersignError, type ErrorCode, type Store } from '@countersign/core'
import type { Page } from 'playwright-core'

type Answer = { readonly value: unknown } | { readonly code: string; readonly message: string }

const LINE_NUMBER = 999_999_999_999

/** A store in a page, driven from the test. `version` is a promise here. */
export async function remoteStore(page: Page, name: string, now: number | null): Promise<Store> {
  const handle = crypto.randomUUID()
  await page.evaluate(([one, store, at]) => window.parts.openStore(one, store, at), [handle, name, now] as const)

  async function ask(method: keyof Store, ...args: readonly unknown[]): Promise<never> {
    const given = [handle, method, args] as const
    const answer = (await page.evaluate(
      ([one, asked, all]) => window.parts.callStore(one, asked, all),
      given,
    )) as Answer
    if ('code' in answer) throw new CountersignError(answer.code as ErrorCode, answer.message)
    return answer.value as never
  }

  return {
    commit: (change) => ask('commit', sent(change)),
    call: (id) => ask('call', id),
    calls: (query) => ask('calls', query),
    grants: () => ask('grants'),
    counted: (...args) => ask('counted', ...args),
    changes: (workspace) => ask('changes', workspace),
    changedWorkspaces: () => ask('changedWorkspaces'),
    version: () => ask('version') as never,
    head: () => ask('head'),
    entries: (...args) => ask('entries', ...args),
    entriesOf: (id) => ask('entriesOf', id),
    outlineOf: (...args) => ask('outlineOf', ...args),
    spans: () => ask('spans'),
    checkpoints: () => ask('checkpoints'),
    saveCheckpoint: (...args) => ask('saveCheckpoint', ...args),
    close: () => ask('close'),
  }
}

/** Lines are written out with a placeholder for their number. One that cannot be written is null. */
function sent(change: Change): unknown {
  const entries = change.entries.map(({ kind, callId, line }) => ({ kind, callId, line: lineOf(line) }))
  return { ...change, entries }
}

function lineOf(line: (seq: number) => string): string | null {
  try {
    return line(LINE_NUMBER)
  } catch {
    return null
  }
}
