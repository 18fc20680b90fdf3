import { defineConfig } from 'vitest/config'

export default defineConfig({
	test: {
		include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
		testTimeout: 30_000,
		hookTimeout: 60_000,
		// Whole-program tests start processes; more workers than cores only makes them wait for each other.
		maxWorkers: 2,
	},
})
