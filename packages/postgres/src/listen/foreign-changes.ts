/**
 * Counts changes of other writers, by the revision that each commit gives the store. Our own commits tell which revision
 * they found and made.
 */
export class ForeignChanges {
  #known: number
  #version = 0
  #own = 0

  constructor(revision: number) {
    this.#known = revision
  }

  get version(): number {
    return this.#version
  }

  /** Rises with our own commits: what was read while one was under way is not compared. */
  get ownCommits(): number {
    return this.#own
  }

  /** True when it was news. */
  see(revision: number): boolean {
    if (revision <= this.#known) return false
    this.#known = revision
    this.#version += 1
    return true
  }

  /**
   * A revision was announced, by whom nobody can tell: any user of the database can announce. It is only a reason to look,
   * and never hides a later change.
   */
  hear(revision: number): void {
    if (revision > this.#known) this.#version += 1
  }

  beginOwn(): void {
    this.#own += 1
  }

  commitOwn(found: number, made: number): void {
    this.see(found)
    this.#known = Math.max(this.#known, made)
  }

  endOwn(): void {
    this.#own += 1
  }
}
