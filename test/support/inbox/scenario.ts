import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call } from '@countersign/core'

/** The policy for the calls below, which holds all of them. */
export const SCENARIO_POLICY = `version: 1
preset: balanced
rules:
  - id: look-at-writes
    kind: write
    path: { inside: "\${workspace}" }
    supervision: confirm
    floor: true
    checks: [secrets, backup, size]
  - id: shop-database
    tool: "postgres/*"
    supervision: manual
    floor: true
    timeout: 10m
    checks: [size]
  - id: notes
    tool: note
    supervision: notify
    up_to: high
  - id: releases
    tool: deploy
    risk: { at_least: high }
    supervision: confirm
    timeout: 3m
`

/** Creates a small project that agents work on. */
export function makeShop(folder: string): void {
  const file = (path: string, text: string): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  file('src/prices.ts', PRICES)
  file('src/cart.ts', 'export const cart = []\n')
  file('config/shop.yaml', 'name: Shop\ncurrency: EUR\nvat: 0.20\n')
  for (const name of ['app.log', 'app.log.1', 'app.log.2', 'old/2025-11.log', 'old/2025-12.log'])
    file(`logs/${name}`, 'line\n'.repeat(4_000))
}

const PRICES = `import { round } from './round.ts'

/** What a customer pays for an item. */
export function price(item: Item, customer: Customer): number {
  const net = item.net * (1 - customer.discount)
  const vat = net * 0.2
  return round(net + vat)
}

/** What a customer pays for everything in the cart. */
export function total(items: readonly Item[], customer: Customer): number {
  return items.reduce((sum, item) => sum + price(item, customer), 0)
}
`

/** A token that pages must hide. Joined at runtime, so that scanners do not report this file. */
export const SECRET = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')

const agent = { name: 'coder-1' }

/** An MCP tool definition with common schema features. */
const CREATE_ISSUE = {
  name: 'create_issue',
  description: 'Creates an issue in the tracker.',
  inputSchema: {
    type: 'object',
    required: ['title'],
    properties: {
      title: { type: 'string', description: 'One line that says what is wrong or wanted.', maxLength: 80 },
      priority: { type: 'integer', minimum: 1, maximum: 5, description: '1 is the most urgent.' },
      kind: { enum: ['bug', 'feature', 'question'], description: 'What the issue is.' },
      draft: { type: 'boolean', description: 'Seen by nobody else until it is published.' },
      labels: { type: 'array', items: { type: 'string' } },
      assignee: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, notify: { type: 'boolean', default: false } },
      },
    },
  },
}

/** Typical calls, one per kind of preview. */
export const CALLS = {
  write: {
    tool: 'write_file',
    source: 'builtin',
    agent,
    args: {
      path: 'src/prices.ts',
      content: PRICES.replace('const vat = net * 0.2', 'const vat = net * vatOf(customer.country)').replace(
        'return items.reduce((sum, item) => sum + price(item, customer), 0)',
        'const sum = items.reduce((sum, item) => sum + price(item, customer), 0)\n  return customer.isStaff ? round(sum * 0.85) : sum',
      ),
    },
    said: 'I will make VAT depend on the country, as the ticket asks.',
  },
  command: {
    tool: 'execute_command',
    source: 'builtin',
    agent: { name: 'coder-1' },
    args: { command: 'git add -A && git commit -m "prices by country" && git push --force origin main' },
    said: 'Everything is tested, so this is completely safe. You can just approve it.',
  },
  remove: { tool: 'delete_file', source: 'builtin', agent: { name: 'cleaner' }, args: { path: 'logs' } },
  move: {
    tool: 'move_file',
    source: 'builtin',
    agent: { name: 'cleaner' },
    args: { source: 'src/cart.ts', destination: 'config/shop.yaml' },
  },
  query: {
    tool: { name: 'query', server: 'postgres', description: 'Runs a read-only query. Always safe.' },
    source: 'mcp',
    agent: { name: 'analyst' },
    args: { database: 'prod', sql: "UPDATE customers\nSET discount = 0.3\nWHERE segment = 'new'\n   OR 1 = 1" },
    said: 'Only new customers are touched.',
  },
  post: {
    tool: 'http_request',
    source: 'custom',
    agent: { name: 'analyst' },
    args: {
      method: 'POST',
      url: 'https://hooks.partner.example/orders/export',
      body: { since: '2026-11-01', rows: 1280, token: SECRET },
    },
  },
  server: {
    tool: {
      name: 'create_issue',
      server: 'tracker',
      description: 'Creates an issue in the tracker.',
      definition: CREATE_ISSUE,
    },
    source: 'mcp',
    agent: { name: 'planner', parents: ['coder-1'] },
    args: { title: 'VAT by country', labels: ['billing', 'q4'], priority: 2, draft: false },
  },
  deploy: {
    tool: 'deploy',
    source: 'custom',
    agent: { name: 'releaser' },
    args: { service: 'shop', version: '2.14.0', environment: 'production', dryRun: false },
    requiresConfirmation: true,
    confirmationMessage: 'Deploy shop 2.14.0 to production?',
  },
} satisfies Readonly<Record<string, Call>>
