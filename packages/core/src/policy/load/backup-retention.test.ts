import { describe, expect, it } from 'vitest'
import { mergeRetention, type SaidRetention, USUAL_RETENTION } from './merged-settings.ts'

const HOUR = 3_600_000
const keeps = (layer: SaidRetention['layer'], hours: number, trusted = true): SaidRetention => ({
  backups: { keepMs: hours * HOUR },
  layer,
  trusted,
})

describe('the retention of backups', () => {
  it.each<[string, readonly SaidRetention[], number]>([
    ['the default without a setting', [], USUAL_RETENTION.keepMs / HOUR],
    ['the person’s setting, even if shorter', [keeps('user', 12)], 12],
    ['the longest of several settings', [keeps('user', 12), keeps('managed', 48)], 48],
    ['not shortened by a project', [keeps('project', 1)], USUAL_RETENTION.keepMs / HOUR],
    ['extended by a trusted project', [keeps('user', 12), keeps('project', 24)], 24],
    ['not affected by an untrusted project', [keeps('user', 12), keeps('project', 9999, false)], 12],
  ])('is %s', (_, files, hours) => {
    expect(mergeRetention(files).keepMs).toBe(hours * HOUR)
  })

  it('is independent of the size limit', () => {
    const files: readonly SaidRetention[] = [{ backups: { mostBytes: 1024 }, layer: 'user', trusted: true }]
    expect(mergeRetention(files)).toEqual({ keepMs: USUAL_RETENTION.keepMs, mostBytes: 1024 })
  })
})
