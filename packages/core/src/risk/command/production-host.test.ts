import { describe, expect, it } from 'vitest'
import { rateShell } from '../fixture.mts'

describe('production machines', () => {
  it.each([
    ["ssh prod-web 'kill 123'", 'high'],
    ["ssh web 'kill 123'", 'medium'],
    ["ssh -p 2222 deploy@db.prod.example.com 'npm test'", 'medium'],
    ["ssh prod-web 'uptime; tail -n 5 /var/log/syslog'", 'low'],
    ["ssh nonprod-web 'kill 123'", 'medium'],
    ['kubectl --context prod exec api -- kill 1234', 'high'],
    ['kubectl --context dev exec api -- kill 1234', 'medium'],
    ['ssh prod-web uptime; kill 123', 'medium'],
  ])('rates `%s` %s', (command, level) => {
    expect(rateShell(command).level).toBe(level)
  })
})
