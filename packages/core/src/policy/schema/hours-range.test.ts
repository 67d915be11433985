import { describe, expect, it } from 'vitest'
import { isZone, parseDays, parseHours } from './hours-range.ts'

describe('a range of hours', () => {
  it.each([
    ['08:00-20:00', { from: 480, to: 1200 }],
    ['22:00-06:30', { from: 1320, to: 390 }],
    ['00:00-24:00', { from: 0, to: 1440 }],
    ['08:00-08:00', null],
    ['8:00-20:00', null],
    ['24:00-08:00', null],
    ['08:60-20:00', null],
    ['08:00 - 20:00', null],
  ])('%s', (text, range) => {
    expect(parseHours(text)).toEqual(range)
  })
})

describe('days', () => {
  it.each([
    ['mon', ['mon']],
    ['mon-fri', ['mon', 'tue', 'wed', 'thu', 'fri']],
    ['sat-mon', ['sat', 'sun', 'mon']],
    ['sun-sat', ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']],
    ['Mon', null],
    ['monday', null],
  ])('%s', (text, days) => {
    expect(parseDays(text)).toEqual(days)
  })
})

it('a zone is an IANA name, not an offset', () => {
  expect(['UTC', 'Europe/Vienna', 'Etc/GMT+5', '+05:00', 'Nowhere/Land', ''].map(isZone)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})
