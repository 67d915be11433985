import { type FileChange, MOST_CHANGED_FILES, type RecordedChanges, type Store } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import type { OpenStore } from './store-laws.ts'

const W = '/proj/project'

const change = (path: string, content: string, more: Partial<FileChange> = {}): FileChange => ({
  path,
  kind: 'written',
  content,
  mark: '',
  before: null,
  seen: false,
  backup: null,
  ...more,
})

const record = (store: Store, files: readonly FileChange[], more: Partial<RecordedChanges> = {}) =>
  store.commit({
    entries: [],
    changed: { workspace: W, call: 'c1', agent: 'main', at: 1, files, everything: null, installedSince: null, ...more },
    durable: false,
  })

const see = (store: Store, path: string, content: string) =>
  store.commit({
    entries: [],
    seen: { workspace: W, files: [{ path, content, mark: 'm' }], call: '', at: 5 },
    durable: false,
  })

const contents = async (store: Store) =>
  (await store.changes(W)).files.map(({ path, content, seen }) => [path, content, seen])

/** What every store that keeps files of workspaces does. */
export function fileLaws(name: string, opened: OpenStore): void {
  describe(`changed files in ${name}`, () => {
    it('keep the content that a person saw last through any number of changes', async () => {
      const { store, again } = await opened()
      await record(store, [change('a', 'A1', { before: 'A0', backup: 'b1' }), change('same', 'S', { before: 'S' })])
      await record(store, [change('a', 'A2', { before: 'A1', backup: 'b2' })], { call: 'c2', agent: 'other', at: 2 })
      expect((await (await again()).changes(W)).files).toEqual([
        {
          path: 'a',
          kind: 'written',
          content: 'A2',
          mark: '',
          seen: 'A0',
          backup: 'b1',
          call: 'c2',
          agent: 'other',
          at: 2,
        },
      ])
      await see(store, 'a', 'A2')
      expect(await contents(store)).toEqual([['a', 'A2', 'A2']])
      await record(store, [change('a', 'A3', { before: 'A2', backup: 'b3' })])
      expect((await store.changes(W)).files).toMatchObject([{ content: 'A3', seen: 'A2', backup: 'b3' }])
    })

    it('are not seen because a call writes the same content again', async () => {
      const { store } = await opened()
      await record(store, [change('a', 'A1', { before: 'A0' })])
      await record(store, [change('a', 'A1', { before: 'A1' })])
      expect(await contents(store)).toEqual([['a', 'A1', 'A0']])
    })

    it('are seen if the diff of that content was approved', async () => {
      const { store } = await opened()
      await record(store, [change('a', 'A1', { before: 'A0', seen: true })])
      expect(await contents(store)).toEqual([['a', 'A1', 'A1']])
      await record(store, [change('a', 'A2', { before: 'A1' })])
      await record(store, [change('a', 'A3', { before: 'A2', seen: true })])
      expect(await contents(store)).toEqual([['a', 'A3', 'A3']])
    })

    it('that were found later can be marked too', async () => {
      const { store } = await opened()
      await see(store, 'found', 'F')
      expect(await contents(store)).toEqual([['found', 'F', 'F']])
    })

    it('may be named twice by one call: the last one counts', async () => {
      const { store } = await opened()
      await record(store, [
        change('a', 'A1', { before: 'A0' }),
        change('b', 'B1', { before: 'B0', seen: true }),
        change('a', 'A2', { before: 'A1', seen: true }),
        change('b', 'B2', { before: 'B1' }),
        change('a', 'A3', { before: 'A2' }),
      ])
      expect(await contents(store)).toEqual([
        ['a', 'A3', 'A2'],
        ['b', 'B2', 'B1'],
      ])
    })

    it('that were restored are the person’s own again, and those a call created are not', async () => {
      const { store } = await opened()
      await record(store, [
        change('made', 'M1', { before: 'absent', restored: true }),
        change('own', 'O1', { before: 'O0', restored: true }),
      ])
      expect(await contents(store)).toEqual([
        ['made', 'M1', null],
        ['own', 'O1', 'O0'],
      ])
      await record(store, [change('later', 'L1', { before: 'absent' })])
      await record(store, [change('later', 'L2', { before: 'L1', restored: true })])
      expect((await contents(store)).find(([path]) => path === 'later')).toEqual(['later', 'L2', null])
    })

    it('found while another call is unrecorded may be that call’s work', async () => {
      const { store } = await opened()
      await store.commit({
        entries: [],
        unrecorded: { workspace: W, call: 'c2', agent: 'main', since: 6 },
        durable: false,
      })
      await record(store, [change('a', 'A1', { before: 'A0' }), change('same', 'S', { before: 'S' })])
      expect(await contents(store)).toEqual([
        ['a', 'A1', null],
        ['same', 'S', null],
      ])
    })

    it('belong to their workspace', async () => {
      const { store } = await opened()
      await record(store, [change('a', 'A')])
      await record(store, [change('b', 'B')], { workspace: '/other' })
      expect(await store.changedWorkspaces()).toEqual(['/other', W])
      expect(await contents(store)).toEqual([['a', 'A', null]])
    })

    it('of a call are expected until they are recorded', async () => {
      const { store } = await opened()
      const unrecorded = { workspace: W, call: 'c1', agent: 'main', since: 7 }
      await store.commit({ entries: [], unrecorded, durable: false })
      await store.commit({ entries: [], unrecorded: { ...unrecorded, call: 'c2', since: 6 }, durable: false })
      expect((await store.changes(W)).unrecorded.map(({ call, since }) => [call, since])).toEqual([
        ['c2', 6],
        ['c1', 7],
      ])
      await record(store, [change('a', 'A')])
      expect((await store.changes(W)).unrecorded.map(({ call }) => call)).toEqual(['c2'])
    })

    it('count as everything past the bound, until a person marks everything', async () => {
      const { store } = await opened()
      const many = Array.from({ length: MOST_CHANGED_FILES }, (_, at) => change(`f${at}`, 'F'))
      await record(store, many)
      expect((await store.changes(W)).everything).toBeNull()
      await record(store, [change('one-more', 'F')])
      const over = await store.changes(W)
      expect(over.everything).toBe('too many files were changed')
      expect(over.files).toEqual([])
      await store.commit({
        entries: [],
        seen: { workspace: W, files: [], call: '', at: 5, everything: true },
        durable: false,
      })
      expect((await store.changes(W)).everything).toBeNull()
    })

    it('make room when they were seen', async () => {
      const { store } = await opened()
      const many = Array.from({ length: MOST_CHANGED_FILES }, (_, at) => change(`f${at}`, 'F', { seen: at < 10 }))
      await record(store, many)
      await record(store, [change('one-more', 'F')])
      const { everything, files } = await store.changes(W)
      expect(everything).toBeNull()
      expect(files).toHaveLength(MOST_CHANGED_FILES)
    })

    it('of installed code count from the earliest time that nobody has seen', async () => {
      const { store } = await opened()
      await record(store, [], { installedSince: 50 })
      await record(store, [], { installedSince: 40 })
      await record(store, [], { installedSince: 60 })
      expect((await store.changes(W)).installedSince).toBe(40)
      await store.commit({
        entries: [],
        seen: { workspace: W, files: [], call: '', at: 5, installedUntil: 70 },
        durable: false,
      })
      expect((await store.changes(W)).installedSince).toBe(70)
    })

    it('are recorded with the rest of their transaction or not at all', async () => {
      const { store } = await opened()
      const changed = {
        workspace: W,
        call: 'c1',
        agent: 'main',
        at: 1,
        files: [change('a', 'A')],
        everything: null,
        installedSince: null,
      }
      const move = { id: 'missing', from: 'started', to: 'closed' } as const
      expect(await store.commit({ entries: [], move, changed, durable: false })).toMatchObject({ kind: 'conflict' })
      expect(await contents(store)).toEqual([])
    })
  })
}
