import type {
  Change,
  RecordedChanges,
  SeenContents,
  Span,
  StoredCall,
  StoredGrant,
  UnrecordedCall,
} from '@countersign/core'

/** A version of the list of gates. */
export interface GateListRow {
  readonly version: number
  readonly text: string
}

/** A change of the store port, or one that also adds a version to the list of gates. */
export interface SharedChange extends Change {
  readonly gateList?: GateListRow
}

/** The row of a call while a commit is planned. */
export interface CallRow {
  readonly call: StoredCall
  /** Bytes of the sealed arguments. */
  readonly weight: number
  /** The size of the journal before the change that opened it: earlier entries of this id are another call's. */
  readonly openedAfter: number
  /** The sealed arguments are those of `call`, or were not read and stay as they are. */
  readonly sealed: 'given' | 'as stored'
}

export type GrantRow = StoredGrant

export interface EntryRow {
  readonly seq: number
  readonly call: string | null
  readonly line: string
  readonly leaf: string
}

export interface CounterRow {
  readonly session: string
  readonly name: string
  readonly at: number
  readonly amount: number
}

/** What a change notes about files, in the order in which it happens. */
export type FileNote =
  | { readonly kind: 'unrecorded'; readonly note: UnrecordedCall }
  | { readonly kind: 'changed'; readonly note: RecordedChanges }
  | { readonly kind: 'seen'; readonly note: SeenContents }

/** Everything one transaction writes. */
export interface RowsToWrite {
  readonly size: number
  readonly frontier: string
  readonly entries: readonly EntryRow[]
  readonly opened: readonly CallRow[]
  readonly moved: readonly CallRow[]
  readonly held: ReadonlyMap<string, { readonly n: number; readonly bytes: number }>
  readonly grantsAdded: readonly GrantRow[]
  readonly grantsChanged: readonly GrantRow[]
  readonly counters: readonly CounterRow[]
  readonly files: readonly FileNote[]
  readonly spans: readonly Span[]
  readonly gateLists: readonly GateListRow[]
  /** The newest version of the list of gates. */
  readonly gates: number
  readonly durable: boolean
}
