/**
 * Runs one bench in its own process and sends its tables to the parent.
 * Run as: node --conditions=countersign-source one.ts <policy|gate|memory|secrets|risk|runners|intent|service|startup|terminal|mcp|contain|hooks|postgres> [--quick]
 */
import type { BenchTable } from './table.ts'

const [name] = process.argv.slice(2)
const quick = process.argv.includes('--quick')

async function tables(): Promise<readonly BenchTable[]> {
  switch (name) {
    case 'policy':
      return [await (await import('./policy/run.ts')).benchPolicy()]
    case 'gate':
      return (await import('./gate/run.ts')).benchGate({ quick })
    case 'memory':
      return [(await import('./gate/memory.ts')).benchMemory({ quick })]
    case 'secrets':
      return [await (await import('./secrets/run.ts')).benchSecrets({ quick })]
    case 'risk':
      return [(await import('./risk/run.ts')).benchRisk({ quick })]
    case 'runners':
      return [await (await import('./runners/run.ts')).benchRunners({ quick })]
    case 'intent':
      return [(await import('./intent/run.ts')).benchIntent({ quick })]
    case 'service':
      return (await import('./service/run.ts')).benchService({ quick })
    case 'startup':
      return [await (await import('./startup/run.ts')).benchStartup({ quick })]
    case 'terminal':
      return (await import('./terminal/run.ts')).benchTerminal({ quick })
    case 'mcp':
      return (await import('./mcp/run.ts')).benchMcp({ quick })
    case 'contain':
      return [await (await import('./contain/run.ts')).benchContain({ quick })]
    case 'hooks':
      return [await (await import('./hooks/run.ts')).benchHooks({ quick })]
    case 'postgres':
      return (await import('./postgres/run.ts')).benchPostgres({ quick })
    default:
      throw new Error(`unknown bench \`${name}\``)
  }
}

const measured = await tables()
process.send?.(measured, () => process.exit(0))
