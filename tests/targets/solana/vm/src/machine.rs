//! The virtual machine alone: exact counts, and the system calls that programs here make at what they cost on chain.

use solana_sbpf::{
    aligned_memory::AlignedMemory,
    declare_builtin_function,
    ebpf::{HOST_ALIGN, MM_HEAP_START, MM_INPUT_START, MM_STACK_START},
    elf::Executable,
    error::EbpfError,
    memory_region::{AccessType, HostBuffer, MemoryMapping, MemoryRegion},
    program::{BuiltinFunctionDefinition, BuiltinProgram, SBPFVersion},
    verifier::RequisiteVerifier,
    vm::{CallFrame, Config, ContextObject, EbpfVm, ExecutionMode},
};
use std::ptr::NonNull;
use std::sync::Arc;

/// More than any of these programs needs.
const UNITS: u64 = 1_000_000_000;
const HEAP: usize = 32 * 1024;

#[derive(Debug)]
pub(crate) struct Outcome {
    /// Instructions and system calls, as a transaction is charged for them.
    pub(crate) units: u64,
    /// The program's exit code, or why it was stopped.
    pub(crate) code: Result<u64, String>,
    pub(crate) answer: Vec<u8>,
}

struct Context {
    units_left: u64,
    memory: Option<MemoryMapping>,
    answer: Vec<u8>,
}

impl ContextObject for Context {
    fn consume(&mut self, units: u64) {
        self.units_left = self.units_left.saturating_sub(units);
    }

    fn get_remaining(&self) -> u64 {
        self.units_left
    }

    fn active_mapping_ptr(&mut self) -> NonNull<MemoryMapping> {
        NonNull::from(self.memory.as_mut().expect("mapped before it runs"))
    }
}

type Refusal = Box<dyn std::error::Error>;

impl Context {
    fn map(&self, access: AccessType, address: u64, length: u64) -> Result<HostBuffer, Refusal> {
        let memory = self.memory.as_ref().expect("mapped before it runs");
        Ok(Result::<HostBuffer, EbpfError>::from(memory.map(access, address, length))?)
    }

    fn read(&self, address: u64, length: u64) -> Result<Vec<u8>, Refusal> {
        if length == 0 {
            return Ok(Vec::new());
        }
        // SAFETY: the mapping says that these bytes are there, and nothing writes them meanwhile.
        Ok(match self.map(AccessType::Load, address, length)? {
            HostBuffer::Immutable(bytes) => unsafe { (*bytes).to_vec() },
            HostBuffer::Mutable(bytes) => unsafe { (*bytes).to_vec() },
        })
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Refusal> {
        if bytes.is_empty() {
            return Ok(());
        }
        match self.map(AccessType::Store, address, bytes.len() as u64)? {
            // SAFETY: the mapping says that these bytes are there and may be written, and nothing else looks at them meanwhile.
            HostBuffer::Mutable(place) => unsafe { (*place).copy_from_slice(bytes) },
            HostBuffer::Immutable(_) => return Err("these bytes may only be read".into()),
        }
        Ok(())
    }

    /// What the chain charges for filling and copying.
    fn consume_for_memory(&mut self, length: u64) {
        self.consume((length / 250).max(10));
    }
}

// The macro wants a comma after the last argument, which rustfmt takes away.
#[rustfmt::skip]
declare_builtin_function!(
    SetReturnData,
    fn rust(context: &mut Context, address: u64, length: u64, _c: u64, _d: u64, _e: u64,) -> Result<u64, Refusal> {
        context.consume(100 + length / 250);
        context.answer = context.read(address, length)?;
        Ok(0)
    }
);

#[rustfmt::skip]
declare_builtin_function!(
    Copy,
    fn rust(context: &mut Context, to: u64, from: u64, length: u64, _d: u64, _e: u64,) -> Result<u64, Refusal> {
        context.consume_for_memory(length);
        let bytes = context.read(from, length)?;
        context.write(to, &bytes)?;
        Ok(0)
    }
);

#[rustfmt::skip]
declare_builtin_function!(
    Fill,
    fn rust(context: &mut Context, to: u64, byte: u64, length: u64, _d: u64, _e: u64,) -> Result<u64, Refusal> {
        context.consume_for_memory(length);
        context.write(to, &vec![byte as u8; length as usize])?;
        Ok(0)
    }
);

#[rustfmt::skip]
declare_builtin_function!(
    Compare,
    fn rust(context: &mut Context, a: u64, b: u64, length: u64, result: u64, _e: u64,) -> Result<u64, Refusal> {
        context.consume_for_memory(length);
        let (a, b) = (context.read(a, length)?, context.read(b, length)?);
        let differences = a.iter().zip(&b).map(|(a, b)| i32::from(*a) - i32::from(*b));
        let difference = differences.into_iter().find(|difference| *difference != 0).unwrap_or(0);
        context.write(result, &difference.to_le_bytes())?;
        Ok(0)
    }
);

#[rustfmt::skip]
declare_builtin_function!(
    Poseidon,
    fn rust(
        context: &mut Context,
        parameters: u64,
        order: u64,
        inputs: u64,
        count: u64,
        digest: u64,
    ) -> Result<u64, Refusal> {
        if parameters != 0 || order > 1 || !(1..=12).contains(&count) {
            return Err("parameters, byte order or number of inputs that there are not".into());
        }
        context.consume(61 * count * count + 542);
        let mut bytes = Vec::new();
        for slice in context.read(inputs, 16 * count)?.chunks_exact(16) {
            let word = |at: usize| u64::from_le_bytes(slice[at..at + 8].try_into().expect("eight"));
            bytes.push(context.read(word(0), word(8))?);
        }
        let slices: Vec<&[u8]> = bytes.iter().map(Vec::as_slice).collect();
        let hash = if order == 0 { const_poseidon::hash_bytes_be } else { const_poseidon::hash_bytes_le };
        // One code for all that can be wrong, as the chain's.
        let Ok(bytes) = hash(&slices) else { return Ok(1) };
        context.write(digest, &bytes)?;
        Ok(0)
    }
);

#[rustfmt::skip]
declare_builtin_function!(
    Abort,
    fn rust(_context: &mut Context, _a: u64, _b: u64, _c: u64, _d: u64, _e: u64,) -> Result<u64, Refusal> {
        Err("the program aborted".into())
    }
);

/// Runs the program's entry point on instruction data, with no accounts.
pub(crate) fn run(program: &[u8], data: &[u8]) -> Outcome {
    let config = Config { enabled_sbpf_versions: SBPFVersion::V0..=SBPFVersion::V3, ..Config::default() };
    let mut loader = BuiltinProgram::new_loader(config);
    SetReturnData::register(&mut loader, "sol_set_return_data").expect("a new name");
    Copy::register(&mut loader, "sol_memcpy_").expect("a new name");
    Copy::register(&mut loader, "sol_memmove_").expect("a new name");
    Fill::register(&mut loader, "sol_memset_").expect("a new name");
    Compare::register(&mut loader, "sol_memcmp_").expect("a new name");
    Poseidon::register(&mut loader, "sol_poseidon").expect("a new name");
    Abort::register(&mut loader, "abort").expect("a new name");
    let loader = Arc::new(loader);
    let executable = Executable::<Context>::load(program, loader.clone()).expect("a program");
    executable.verify::<RequisiteVerifier>().expect("a valid program");

    let config = executable.get_config();
    let version = executable.get_sbpf_version();
    let mut stack = AlignedMemory::<HOST_ALIGN>::zero_filled(config.stack_frame_size * config.max_call_depth);
    let mut heap = AlignedMemory::<HOST_ALIGN>::zero_filled(HEAP);
    let mut input = [&[0; 8], &(data.len() as u64).to_le_bytes()[..], data, &[0; 32]].concat();
    // From version 3 on frames follow each other without gaps.
    let gaps = version == SBPFVersion::V0 && config.enable_stack_frame_gaps;
    let gap = if gaps { config.stack_frame_size as u64 } else { 0 };
    let stack_length = stack.len();
    let regions = vec![
        executable.get_ro_region(),
        MemoryRegion::new_gapped(stack.as_slice_mut() as *mut [u8], MM_STACK_START, gap),
        MemoryRegion::new(heap.as_slice_mut() as *mut [u8], MM_HEAP_START),
        MemoryRegion::new(input.as_mut_slice() as *mut [u8], MM_INPUT_START),
    ];
    // SAFETY: the regions outlive the machine, and only it and its system calls use them.
    let memory = unsafe { MemoryMapping::new(regions, config, version) }.expect("regions apart");
    let mut context = Context { units_left: UNITS, memory: Some(memory), answer: Vec::new() };
    let mut machine = EbpfVm::new(loader.clone(), version, &mut context, stack_length);
    machine.registers[1] = MM_INPUT_START;
    let mut frames = vec![CallFrame::default(); config.max_call_depth];
    let (_, result) = machine.execute_program(&executable, &mut ExecutionMode::Interpreted, &mut frames);
    let result: Result<u64, EbpfError> = result.into();
    drop(machine);
    Outcome {
        units: UNITS - context.units_left,
        code: result.map_err(|error| format!("{error:?}")),
        answer: context.answer,
    }
}
