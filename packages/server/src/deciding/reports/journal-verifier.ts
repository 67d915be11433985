import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import {
  type JournalSource,
  type JournalVerdict,
  journalKeys,
  type VerifiedJournal,
  verifyJournal,
} from '@countersign/core'
import type { DecidingParts } from '../api/route-dependencies.ts'

/** Entries between two turns of the loop: a few milliseconds, so that whoever asks or decides meanwhile hardly waits. */
const PAGE = 100

/** The journal's verification: whole at first and whenever it is asked for, otherwise of what came since. */
export interface JournalVerifier {
  /** The result of the last verification; null before the first. */
  known(): VerifiedJournal | null
  read(extent: 'whole' | 'since'): Promise<VerifiedJournal>
}

interface Reading {
  readonly verdict: JournalVerdict
  readonly at: number
  readonly wholeAt: number
}

/** One verification at a time; callers during one share its result. */
export function createJournalVerifier({ main, now }: Pick<DecidingParts, 'main' | 'now'>): JournalVerifier {
  const { store, crypto, heads } = main.ports
  const source: JournalSource = {
    head: () => store.head(),
    spans: () => store.spans(),
    checkpoints: () => store.checkpoints(),
    async entries(from, to) {
      await turnOfTheLoop()
      return store.entries(from, to)
    },
  }
  let last: Reading | undefined
  let running: { readonly extent: 'whole' | 'since'; readonly reading: Promise<Reading> } | undefined

  async function verify(extent: 'whole' | 'since'): Promise<Reading> {
    const at = now()
    const options = {
      crypto,
      kept: await heads.kept(),
      ...journalKeys(main.ports),
      page: PAGE,
    }
    if (extent === 'since' && last?.verdict.kind === 'intact') {
      const verdict = await verifyJournal(source, { ...options, verified: last.verdict })
      if (verdict.kind === 'intact') return { verdict, at, wholeAt: last.wholeAt }
    }
    // A reading of everything also names best what is wrong.
    return { verdict: await verifyJournal(source, options), at, wholeAt: at }
  }

  async function start(extent: 'whole' | 'since'): Promise<Reading> {
    while (running !== undefined) {
      const { reading, extent: under } = running
      if (extent === 'since' || under === 'whole') return reading
      await reading.catch(() => undefined)
    }
    const reading = verify(extent)
    running = { extent, reading }
    try {
      last = await reading
      return last
    } finally {
      running = undefined
    }
  }

  return {
    known: () => (last === undefined ? null : wordsOf(last)),
    read: async (extent) => wordsOf(await start(extent)),
  }
}

function wordsOf({ verdict, at, wholeAt }: Reading): VerifiedJournal {
  if (verdict.kind === 'damaged') {
    const { kind, message } = verdict.damage
    return { size: 0, root: null, signedTo: 0, keptTo: 0, damage: [{ kind, message }], at, wholeAt }
  }
  const { size, root, signedTo, keptTo } = verdict
  return { size, root, signedTo, keptTo, damage: [], at, wholeAt }
}
