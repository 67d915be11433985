import {
  createJournal,
  type JournalVerdict,
  journalOrigin,
  type Ports,
  parseCheckpoint,
  verifyJournal,
} from '@countersign/core'

/** An exported journal. */
export interface ExportedJournal {
  /** One entry per line, exactly as it was hashed. */
  readonly entries: string
  /** A signed checkpoint of exactly these entries. */
  readonly checkpoint: string
  /** The key that signed it: base64, raw Ed25519. */
  readonly publicKey: string
}

/** The journal of a page. */
export interface PageJournal {
  /**
   * Every entry with a signed checkpoint. Saved as `audit.jsonl` and `audit.checkpoint`, it can be verified on any machine:
   * `countersign journal verify --file audit.jsonl --key <publicKey>`.
   */
  export(): Promise<ExportedJournal>
  /** Verifies every entry and every checkpoint of the store. */
  verify(): Promise<JournalVerdict>
}

const PAGE = 1_000

export function openJournal(ports: Pick<Ports, 'store' | 'crypto' | 'clock' | 'signer' | 'heads'>): PageJournal {
  const { store, crypto, signer, heads } = ports
  const origin = journalOrigin(signer)
  const signing = createJournal({ ...ports, origin })
  return {
    async export() {
      const note = await signing.checkpoint()
      const size = note === undefined ? 0 : sizeOf(note)
      const pages: string[] = []
      for (let at = 1; at <= size; at += PAGE)
        for (const { line } of await store.entries(at, Math.min(size, at + PAGE - 1))) pages.push(`${line}\n`)
      return { entries: pages.join(''), checkpoint: note ?? '', publicKey: signer.publicKey }
    },
    verify: async () =>
      verifyJournal(store, { crypto, origin, publicKeys: [signer.publicKey], kept: await heads.kept() }),
  }
}

function sizeOf(note: string): number {
  return parseCheckpoint(note)?.size ?? 0
}
