import type { Span } from '../ports/store.ts'
import { type Damage, damage } from './damage.ts'
import { appendLeaf, appendSpan, type Hasher, isSpan, rootOf } from './merkle.ts'
import type { SignedHead } from './signed-heads.ts'

/** Where a verification ended, and how much of it signed heads cover. */
export interface VerifiedHead {
  readonly size: number
  /** Concatenated hex of the tree's frontier. */
  readonly frontier: string
  readonly signedTo: number
  readonly keptTo: number
  readonly unproven: number
}

/** Grows a tree while a journal is read, and compares it with every signed head on the way. */
export class TreeCheck {
  size = 0
  frontier = ''
  /** The sizes of the largest heads that fit. */
  signedTo = 0
  keptTo = 0
  /** How many heads end inside a span: only the archive itself can prove them. */
  unproven = 0
  /** The size of the first head that does not fit, and of the last one before it that does. */
  misfit: { readonly after: number; readonly size: number } | undefined
  readonly #crypto: Hasher
  readonly #heads: readonly SignedHead[]
  #next = 0

  constructor(heads: readonly SignedHead[], crypto: Hasher) {
    this.#crypto = crypto
    this.#heads = heads.filter((head) => head.size > 0).sort((a, b) => a.size - b.size)
  }

  get root(): string {
    return rootOf(this.frontier, this.size, this.#crypto)
  }

  /** Continues where an earlier verification ended; everything before was compared then. */
  resume(head: VerifiedHead): void {
    this.size = head.size
    this.frontier = head.frontier
    this.signedTo = head.signedTo
    this.keptTo = head.keptTo
    this.unproven = head.unproven
    this.misfit = undefined
    this.#next = this.#heads.findIndex(({ size }) => size > head.size)
    if (this.#next === -1) this.#next = this.#heads.length
  }

  append(leaf: string): void {
    this.frontier = appendLeaf(this.frontier, this.size, leaf, this.#crypto)
    this.size += 1
    this.#compare()
  }

  /** Adds archived entries by their hashes. */
  archive(spans: readonly Span[]): Damage | undefined {
    for (const span of spans) {
      if (!isSpan(span) || span.from !== this.size)
        return damage(
          'missing',
          this.size + 1,
          Math.max(this.size + 1, span.to),
          'hashes of archived entries are missing',
        )
      this.frontier = appendSpan(this.frontier, span, this.#crypto)
      this.size = span.to
      this.#compare()
    }
    return undefined
  }

  /** The largest signed head past the end of the journal, preferably a kept one. */
  beyond(): SignedHead | undefined {
    const past = this.#heads.filter((head) => head.size > this.size)
    return past.findLast((head) => head.from === 'kept') ?? past.at(-1)
  }

  #compare(): void {
    let root: string | undefined
    for (
      let head = this.#heads[this.#next];
      head !== undefined && head.size <= this.size;
      head = this.#heads[++this.#next]
    ) {
      if (head.size < this.size) {
        this.unproven += 1
        continue
      }
      root ??= this.root
      if (head.root !== root) this.misfit ??= { after: this.signedTo, size: this.size }
      else if (this.misfit === undefined) {
        this.signedTo = this.size
        if (head.from === 'kept') this.keptTo = this.size
      }
    }
  }
}
