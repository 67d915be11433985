import type { Span } from '../ports/store.ts'
import { type Damage, damage } from './damage.ts'
import { appendLeaf, type Hasher, rootOf } from './merkle.ts'
import type { SignedHead } from './signed-heads.ts'
import { appendSpan, isSpan } from './span.ts'

/** Where a reading ended, and how far it was vouched for. */
export interface VerifiedHead {
  readonly size: number
  /** Concatenated hex of the hashes that the next entry is added to. */
  readonly frontier: string
  readonly signedTo: number
  readonly keptTo: number
  readonly unproven: number
}

/** A tree that grows while a journal is read, and is compared with every signed head it reaches. */
export class TreeCheck {
  size = 0
  frontier = ''
  /** Sizes of the largest heads that fitted. */
  signedTo = 0
  keptTo = 0
  /** Heads that end inside a span: only the archive itself can prove them. */
  unproven = 0
  /** The first head that did not fit, and the last that did before it. */
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

  /** Goes on where an earlier reading ended: what it covered, heads and all, was compared then. */
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

  /** Takes archived entries by their hashes alone. */
  archive(spans: readonly Span[]): Damage | undefined {
    for (const span of spans) {
      if (!isSpan(span) || span.from !== this.size)
        return damage(
          'missing',
          this.size + 1,
          Math.max(this.size + 1, span.to),
          'the hashes of the archive have a gap',
        )
      this.frontier = appendSpan(this.frontier, span, this.#crypto)
      this.size = span.to
      this.#compare()
    }
    return undefined
  }

  /** The largest signed head past the end of the journal, kept ones first. */
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
