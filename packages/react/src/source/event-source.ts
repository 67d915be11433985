import type { Receipt } from '@countersign/core'
import type { HeldCall } from '../call/held-call.ts'
import type { Notice } from './approval-source.ts'
import type { Told } from './approvals-reducer.ts'
import { API } from './service-client.ts'

/** Hears one stream of the service. */
export interface StreamEar {
  /** Something came; with the number of the event, where it has one. */
  told(told: Told, id: string): void
  /** The connection is lost: the browser tries again, or has given up. */
  failed(stream: EventSource): void
}

/** Opens the service's stream after the event of this number; from the beginning without one. */
export function openServiceStream(last: string, ear: StreamEar): EventSource {
  const opened = new EventSource(`${API}/stream${last === '' ? '' : `?last=${last}`}`)
  const hear = (name: string, read: (data: never) => Told): void =>
    opened.addEventListener(name, (event) => {
      const { data, lastEventId } = event as MessageEvent
      ear.told(read(JSON.parse(String(data)) as never), lastEventId)
    })
  hear('snapshot', ({ held, now }: { readonly held: readonly HeldCall[]; readonly now: number }) => {
    return { kind: 'snapshot', held, now, at: Date.now() }
  })
  hear('held', (view: HeldCall) => ({ kind: 'held', view }))
  hear('closed', (receipt: Receipt) => ({ kind: 'closed', receipt }))
  hear('notice', (notice: Notice) => ({ kind: 'notice', notice }))
  hear('now', ({ now }: { readonly now: number }) => ({ kind: 'now', now, at: Date.now() }))
  hear('grants', () => ({ kind: 'changed' }))
  hear('policy', () => ({ kind: 'changed' }))
  opened.onerror = () => ear.failed(opened)
  return opened
}
