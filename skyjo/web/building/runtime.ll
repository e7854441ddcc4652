; What numba's compiled functions call, for WebAssembly. It takes the place of numba's own functions of these names.
;
; Arrays lie one upon the other in one room. Each has a head of 64 bytes before its items: at 0 how many refer to it, at 8
; where the array below it begins, and at 24 where its items do, as numba expects. As soon as nobody refers to the
; uppermost array, its room is free. A call that needs more room than there is ends in a trap.

@room = internal global [1048576 x i8] zeroinitializer, align 64
@taken = global i32 0
@uppermost = global i32 -1
declare void @llvm.trap()

define ptr @NRT_MemInfo_alloc(i64 %size) noinline {
  %begin = load i32, ptr @taken
  %bytes = trunc i64 %size to i32
  %padded = add i32 %bytes, 127
  %whole = and i32 %padded, -64
  %end = add i32 %begin, %whole
  %is_full = icmp ugt i32 %end, 1048576
  br i1 %is_full, label %full, label %fits
full:
  call void @llvm.trap()
  unreachable
fits:
  %array = getelementptr i8, ptr @room, i32 %begin
  %below_at = getelementptr i8, ptr %array, i32 8
  %items_at = getelementptr i8, ptr %array, i32 24
  %items = getelementptr i8, ptr %array, i32 64
  %below = load i32, ptr @uppermost
  store i64 1, ptr %array
  store i32 %below, ptr %below_at
  store ptr %items, ptr %items_at
  store i32 %begin, ptr @uppermost
  store i32 %end, ptr @taken
  ret ptr %array
}

define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %array = call ptr @NRT_MemInfo_alloc(i64 %size)
  ret ptr %array
}

define ptr @NRT_Allocate(i64 %size) {
  %array = call ptr @NRT_MemInfo_alloc(i64 %size)
  %items = getelementptr i8, ptr %array, i32 64
  ret ptr %items
}

define void @NRT_Free(ptr %items) {
  %array = getelementptr i8, ptr %items, i32 -64
  call void @NRT_decref(ptr %array)
  ret void
}

define void @NRT_incref(ptr %array) {
  %is_none = icmp eq ptr %array, null
  br i1 %is_none, label %done, label %count
count:
  %before = load i64, ptr %array
  %now = add i64 %before, 1
  store i64 %now, ptr %array
  br label %done
done:
  ret void
}

define void @NRT_decref(ptr %array) alwaysinline {
  %is_none = icmp eq ptr %array, null
  br i1 %is_none, label %done, label %count
count:
  call void @drop_array(ptr %array)
  br label %done
done:
  ret void
}

define void @drop_array(ptr %array) noinline {
  %before = load i64, ptr %array
  %now = sub i64 %before, 1
  store i64 %now, ptr %array
  br label %next
next:
  %begin = load i32, ptr @uppermost
  %is_empty = icmp slt i32 %begin, 0
  br i1 %is_empty, label %done, label %look
look:
  %upper = getelementptr i8, ptr @room, i32 %begin
  %referring = load i64, ptr %upper
  %is_used = icmp ne i64 %referring, 0
  br i1 %is_used, label %done, label %free
free:
  %below_at = getelementptr i8, ptr %upper, i32 8
  %below = load i32, ptr %below_at
  store i32 %below, ptr @uppermost
  store i32 %begin, ptr @taken
  br label %next
done:
  ret void
}

; The size of an array, for which numba would check with 128 bits that it does not overflow: it does not.
define { i64, i1 } @size_of_array(i64 %items, i64 %bytes) {
  %size = mul i64 %items, %bytes
  %whole = insertvalue { i64, i1 } { i64 undef, i1 false }, i64 %size, 0
  ret { i64, i1 } %whole
}

; Arrays in another shape: all that are reshaped are contiguous.
define i32 @numba_attempt_nocopy_reshape(
    i64 %n, ptr %sizes, ptr %steps, i64 %wanted, ptr %new_sizes, ptr %new_steps, i64 %item, i32 %is_fortran) {
begin:
  br label %next
next:
  %left = phi i64 [ %wanted, %begin ], [ %k, %one ]
  %step = phi i64 [ %item, %begin ], [ %larger, %one ]
  %is_done = icmp eq i64 %left, 0
  br i1 %is_done, label %done, label %one
one:
  %k = sub i64 %left, 1
  %to = getelementptr i64, ptr %new_steps, i64 %k
  store i64 %step, ptr %to
  %from = getelementptr i64, ptr %new_sizes, i64 %k
  %size = load i64, ptr %from
  %larger = mul i64 %step, %size
  br label %next
done:
  ret i32 1
}
