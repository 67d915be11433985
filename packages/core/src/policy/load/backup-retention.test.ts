import { describe, expect, it } from 'vitest'
import { mergeRetention, type SaidRetention, USUAL_RETENTION } from './merged-settings.ts'

const HOUR = 3_600_000
const keeps = (layer: SaidRetention['layer'], hours: number, trusted = true): SaidRetention => ({
  backups: { keepMs: hours * HOUR },
  layer,
  trusted,
})

describe('how long copies are kept', () => {
  it.each<[string, readonly SaidRetention[], number]>([
    ['as usual where nobody says', [], USUAL_RETENTION.keepMs / HOUR],
    ['as the person says, also shorter', [keeps('user', 12)], 12],
    ['as the longest of several says', [keeps('user', 12), keeps('managed', 48)], 48],
    ['not shorter because a project says so', [keeps('project', 1)], USUAL_RETENTION.keepMs / HOUR],
    ['longer for a trusted project', [keeps('user', 12), keeps('project', 24)], 24],
    ['as if a project that nobody trusts had said nothing', [keeps('user', 12), keeps('project', 9999, false)], 12],
  ])('is %s', (_, files, hours) => {
    expect(mergeRetention(files).keepMs).toBe(hours * HOUR)
  })

  it('is told apart from their size', () => {
    const files: readonly SaidRetention[] = [{ backups: { mostBytes: 1024 }, layer: 'user', trusted: true }]
    expect(mergeRetention(files)).toEqual({ keepMs: USUAL_RETENTION.keepMs, mostBytes: 1024 })
  })
})
