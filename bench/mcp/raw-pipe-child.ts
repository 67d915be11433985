/**
 * The minimal proxy between client and server on stdio: bytes in, bytes out.
 * Run as: node raw-pipe-child.ts <server command…>
 */
import { spawn } from 'node:child_process'

const [program = '', ...args] = process.argv.slice(2)
const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
process.stdin.pipe(child.stdin)
child.stdout.pipe(process.stdout)
